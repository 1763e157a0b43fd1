// The way of the tracker's words (counts and ready rings) to the memory channels
// and back. Requesters are the banks, then the rings; each has one read under way
// at most.
//
// Latency: 1 cycle to the channel, 1 cycle back. Throughput: one request per
// cycle. Order: per requester and channel. Back-pressure: req_ready_o depends on
// all requests; a request that waits for its channel holds up the others, and
// channels always drain (tracker requests come first there).
`default_nettype none

module t3_word_port #(
  parameter int unsigned Banks       = 8,
  parameter int unsigned NumChannels = 16,
  localparam int unsigned NumReq = Banks + t3_pkg::NumCtx
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [NumReq-1:0]                     req_valid_i,
  output logic      [NumReq-1:0]                     req_ready_o,
  input  wire logic [NumReq*t3_pkg::WordReqBits-1:0] req_i,
  // To the channels: one request on a shared bus.
  output logic      [NumChannels-1:0]                ch_valid_o,
  input  wire logic [NumChannels-1:0]                ch_ready_i,
  output logic      [t3_pkg::WordReqBits-1:0]        ch_req_o,
  // Answers; id is the bank, or 16 + context for a ring.
  input  wire logic [NumChannels-1:0]                ch_rsp_valid_i,
  input  wire logic [NumChannels*5-1:0]              ch_rsp_id_i,
  input  wire logic [NumChannels*t3_pkg::WordW-1:0]  ch_rsp_data_i,
  output logic      [NumReq-1:0]                     rsp_valid_o,
  output logic      [NumReq*t3_pkg::WordW-1:0]       rsp_data_o
);

  localparam int unsigned ReqBits     = $clog2(NumReq);
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1;
  localparam int unsigned AddrLsb     = t3_pkg::WordW;  // of a request

  logic                     any, free, valid_q;
  logic [ReqBits-1:0]       idx;
  logic [NumReq-1:0]        gnt;
  logic [ChannelBits-1:0]   channel;

  assign channel = ChannelBits'(t3_pkg::channel_of(
      ch_req_o[AddrLsb+t3_pkg::AddrW-1:AddrLsb+t3_pkg::InterleaveW], $clog2(NumChannels)));
  assign free        = ~valid_q | ch_ready_i[channel];
  assign ch_valid_o  = NumChannels'(valid_q) << channel;
  assign req_ready_o = gnt & {NumReq{free}};

  t3_rr_arb #(
    .N(NumReq)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i  (req_valid_i),
    .ready_i(free),
    .valid_o(any),
    .gnt_o  (gnt),
    .idx_o  (idx)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (free) valid_q <= any;
    if (any & free) ch_req_o <= req_i[idx*t3_pkg::WordReqBits+:t3_pkg::WordReqBits];
  end

  // Answers: no two channels answer one requester in the same cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rsp_valid_o <= '0;
    else if ((|ch_rsp_valid_i) | (|rsp_valid_o)) begin
      for (int unsigned r = 0; r < NumReq; r++) begin
        logic                     valid;
        logic [t3_pkg::WordW-1:0] data;
        valid = 1'b0;
        data  = '0;
        for (int unsigned c = 0; c < NumChannels; c++) begin
          if (ch_rsp_valid_i[c] && ch_rsp_id_i[c*5+:5] == ((r < Banks) ? 5'(r) : 5'(16 + r - Banks))) begin
            valid = 1'b1;
            data  = data | ch_rsp_data_i[c*t3_pkg::WordW+:t3_pkg::WordW];
          end
        end
        rsp_valid_o[r] <= valid;
        if (valid) rsp_data_o[r*t3_pkg::WordW+:t3_pkg::WordW] <= data;
      end
    end
  end

endmodule

`default_nettype wire
