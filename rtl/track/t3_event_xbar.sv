// From the channels' merged count events to the tracker banks. An event's bank is
// the XOR fold of its subtile index, so neighbouring subtiles spread.
//
// Latency: 1 cycle to the bank's queue of two events. Throughput: one event per
// bank and cycle. Order: per channel and bank. Back-pressure: in_ready_o depends
// on all channels' valid and on the banks' queues.
`default_nettype none

module t3_event_xbar #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned Banks       = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [NumChannels-1:0]                   in_valid_i,
  output logic      [NumChannels-1:0]                   in_ready_o,
  input  wire logic [NumChannels*t3_pkg::EventBits-1:0] in_event_i,
  output logic      [Banks-1:0]                         out_valid_o,
  input  wire logic [Banks-1:0]                         out_ready_i,
  output logic      [Banks*t3_pkg::EventBits-1:0]       out_event_o
);

  localparam int unsigned BankBits = (Banks > 1) ? $clog2(Banks) : 1;
  localparam int unsigned SelBits  = (NumChannels > 1) ? $clog2(NumChannels) : 1;
  // The subtile index lies above expected, action, notify and elems.
  localparam int unsigned IndexLsb = t3_pkg::CountW + 3 + t3_pkg::ElemsW;

  function automatic logic [BankBits-1:0] bank_of(input logic [t3_pkg::SubW-1:0] index);
    bank_of = '0;
    for (int unsigned i = 0; i < t3_pkg::SubW; i = i + BankBits) begin
      if (Banks > 1) bank_of = bank_of ^ BankBits'(index >> i);
    end
  endfunction

  logic [NumChannels*BankBits-1:0] dest;
  logic [Banks-1:0]                valid, ready;
  logic [Banks*SelBits-1:0]        sel;

  for (genvar c = 0; c < NumChannels; c++) begin : gen_dest
    assign dest[c*BankBits+:BankBits] =
        bank_of(in_event_i[c*t3_pkg::EventBits+IndexLsb+:t3_pkg::SubW]);
  end

  t3_xbar #(
    .NumIn (NumChannels),
    .NumOut(Banks)
  ) u_xbar (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_dest_i  (dest),
    .in_ready_o,
    .out_valid_o(valid),
    .out_sel_o  (sel),
    .out_ready_i(ready)
  );

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    t3_fifo #(
      .Width(t3_pkg::EventBits),
      .Depth(2)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .wvalid_i(valid[b]),
      .wready_o(ready[b]),
      .wdata_i (in_event_i[sel[b*SelBits+:SelBits]*t3_pkg::EventBits+:t3_pkg::EventBits]),
      .rvalid_o(out_valid_o[b]),
      .rready_i(out_ready_i[b]),
      .rdata_o (out_event_o[b*t3_pkg::EventBits+:t3_pkg::EventBits])
    );
  end

endmodule

`default_nettype wire
