// A few entries of the chunk table beside one port. Direct mapped by the upper
// bit of the context and the lower bit of the chunk: a kernel's stores alternate
// between two neighbouring chunks where a tile row straddles them, and kernels
// alternate between context pairs.
//
// Latency: a hit is combinational from registers; a miss takes 4 cycles or more.
// Throughput: one look-up per cycle on hits. Back-pressure: hit_o = 0 means wait;
// one request is outstanding at most.
`default_nettype none

module t3_chunk_cache #(
  localparam int unsigned IdW = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         inv_i,  // the table or a context changed
  input  wire logic                         lookup_valid_i,
  input  wire logic [IdW-1:0]               lookup_id_i,  // {context, chunk}
  output logic                              hit_o,
  output logic      [t3_pkg::ChunkBits-1:0] entry_o,
  output logic                              req_valid_o,
  input  wire logic                         req_ready_i,
  output logic      [IdW-1:0]               req_id_o,
  input  wire logic                         rsp_valid_i,
  input  wire logic [IdW-1:0]               rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] rsp_entry_i
);

  localparam int unsigned Entries = 4;

  logic [t3_pkg::ChunkBits-1:0] entry_q [Entries];
  logic [IdW-1:0]               id_q    [Entries];
  logic [Entries-1:0]           valid_q;
  logic                         waiting_q;  // asked, not answered yet
  logic [1:0]                   row, rsp_row;

  assign row         = {lookup_id_i[IdW-1], lookup_id_i[0]};
  assign rsp_row     = {rsp_id_i[IdW-1], rsp_id_i[0]};
  assign hit_o       = valid_q[row] & (id_q[row] == lookup_id_i);
  assign entry_o     = entry_q[row];
  assign req_id_o    = lookup_id_i;
  assign req_valid_o = lookup_valid_i & ~hit_o & ~waiting_q & ~inv_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || inv_i) begin
      // An answer that is under way was read before the change: it is not taken,
      // because nothing waits for it.
      valid_q   <= '0;
      waiting_q <= 1'b0;
    end else begin
      if (req_valid_o & req_ready_i) waiting_q <= 1'b1;
      if (waiting_q && rsp_valid_i && rsp_id_i == lookup_id_i) begin
        valid_q[rsp_row] <= 1'b1;
        waiting_q        <= 1'b0;
      end
    end
    if (waiting_q & rsp_valid_i) begin
      if (rsp_id_i == lookup_id_i) begin
        entry_q[rsp_row] <= rsp_entry_i;
        id_q[rsp_row]    <= rsp_id_i;
      end
    end
  end

endmodule

`default_nettype wire
