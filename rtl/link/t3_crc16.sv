// CRC-16 (polynomial 1021, initial value FFFF, most significant bit first) of a
// word, as one XOR mask per bit of the CRC.
//
// Latency: crc_o is valid in the cycle after en_i and holds. Throughput: one word
// per cycle.
`default_nettype none

module t3_crc16 #(
  parameter int unsigned Width = 64
) (
  input  wire logic                    clk_i,
  input  wire logic                    en_i,
  input  wire logic [Width-1:0]        word_i,
  output logic      [t3_pkg::CrcW-1:0] crc_o
);

  localparam int unsigned CrcW = t3_pkg::CrcW;

  // Word bit j contributes x**(j + 16) mod the polynomial.
  function automatic logic [CrcW*Width-1:0] masks();
    logic [CrcW-1:0] r;
    r = 16'h1021;
    for (int unsigned j = 0; j < Width; j++) begin
      for (int unsigned i = 0; i < CrcW; i++) masks[i*Width+j] = r[i];
      r = {r[CrcW-2:0], 1'b0} ^ (r[CrcW-1] ? 16'h1021 : 16'h0000);
    end
  endfunction

  // The initial value contributes FFFF * x**Width.
  function automatic logic [CrcW-1:0] seed();
    seed = 16'hffff;
    for (int unsigned j = 0; j < Width; j++) begin
      seed = {seed[CrcW-2:0], 1'b0} ^ (seed[CrcW-1] ? 16'h1021 : 16'h0000);
    end
  endfunction

  localparam logic [CrcW*Width-1:0] Masks = masks();
  localparam logic [CrcW-1:0]       Seed  = seed();

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned i = 0; i < CrcW; i++) begin
        crc_o[i] <= (^(word_i & Masks[i*Width+:Width])) ^ Seed[i];
      end
    end
  end

endmodule

`default_nettype wire
