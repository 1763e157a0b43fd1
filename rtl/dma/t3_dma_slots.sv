// Read slots of one channel's triggered DMA: a line is accepted with reserved
// room for its data, read in order, and offered as a packet when its data is here.
//
// Latency: 1 cycle to the read request, 2 from the answer to the packet.
// Throughput: one line per cycle. Order: packets leave in the order of the answers.
// Back-pressure: line_ready_o depends on state only; answers are always accepted.
`include "t3_assert.svh"
`default_nettype none

module t3_dma_slots #(
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Slots     = 32,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic                       line_valid_i,
  output logic                            line_ready_o,
  input  wire t3_pkg::dma_line_t          line_i,
  // Read requests; the tag is the slot.
  output logic                            rd_valid_o,
  input  wire logic                       rd_ready_i,
  output t3_pkg::mem_req_t                rd_req_o,
  output logic      [LineBytes-1:0]       rd_strb_o,
  input  wire logic                       rsp_valid_i,
  input  wire logic [t3_pkg::TagW-1:0]    rsp_tag_i,
  input  wire logic [LineBits-1:0]        rsp_data_i,
  // Packets; src, seq and crc are left to t3_link_tx.
  output logic                            pk_valid_o,
  input  wire logic                       pk_ready_i,
  output logic                            pk_link_o,
  output logic      [t3_pkg::CtxW-1:0]    pk_ctx_o,  // local context
  output t3_pkg::packet_t                 pk_packet_o,
  output logic      [LineBytes-1:0]       pk_strb_o,
  output logic      [LineBits-1:0]        pk_data_o,
  output logic      [t3_pkg::NumCtx-1:0]  busy_ctx_o,
  output logic                            busy_o
);

  localparam int unsigned SlotBits  = (Slots > 1) ? $clog2(Slots) : 1;
  localparam int unsigned CountBits = $clog2(Slots + 2);
  localparam int unsigned PosW      = $clog2(LineBytes);
  localparam int unsigned ReadW     = t3_pkg::AddrW + 2 * PosW + t3_pkg::CtxW + SlotBits;

  function automatic logic [LineBytes-1:0] strobes(input logic [PosW-1:0] first,
                                                   input logic [PosW-1:0] last);
    strobes = ({LineBytes{1'b1}} << first) & ({LineBytes{1'b1}} >> (PosW'(LineBytes - 1) - last));
  endfunction

  // ---- Accept a line, queue its read.
  logic                    slot_free, read_free, take;
  logic [SlotBits-1:0]     slot, rd_slot;
  logic [t3_pkg::CtxW-1:0] rd_ctx;
  logic [PosW-1:0]         rd_first, rd_last;
  logic [t3_pkg::AddrW-1:0] rd_addr;
  logic                    ready_pop;
  logic [SlotBits-1:0]     ready_slot;

  assign line_ready_o = slot_free & read_free;
  assign take         = line_valid_i & line_ready_o;

  t3_slots #(
    .Slots(Slots)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .free_o     (slot_free),
    .alloc_i    (take),
    .slot_o     (slot),
    .ret_valid_i(ready_pop),
    .ret_slot_i (ready_slot)
  );

  t3_fifo #(
    .Width(ReadW),
    .Depth(4)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .wvalid_i(line_valid_i & slot_free),
    .wready_o(read_free),
    .wdata_i ({line_i.addr, line_i.first[PosW-1:0], line_i.last[PosW-1:0], line_i.sub.ctx, slot}),
    .rvalid_o(rd_valid_o),
    .rready_i(rd_ready_i),
    .rdata_o ({rd_addr, rd_first, rd_last, rd_ctx, rd_slot})
  );

  always_comb begin
    rd_req_o       = '0;
    rd_req_o.cls   = t3_pkg::ClsDmaRead;
    rd_req_o.op    = t3_pkg::MemRead;
    rd_req_o.ctx   = rd_ctx;
    rd_req_o.tag   = t3_pkg::TagW'(rd_slot);
    rd_req_o.addr  = rd_addr;
  end
  assign rd_strb_o = strobes(rd_first, rd_last);

  // ---- Slots: what the packet needs, and the data.
  t3_pkg::dma_line_t   head;
  logic                ready_valid, ready_free;

  t3_ram #(
    .Width(t3_pkg::DmaLineBits),
    .Depth(Slots)
  ) u_lines (
    .clk_i,
    .we_i   (take),
    .waddr_i(slot),
    .wdata_i(line_i),
    .re_i   (ready_pop),
    .raddr_i(ready_slot),
    .rdata_o(head)
  );

  t3_ram #(
    .Width(LineBits),
    .Depth(Slots)
  ) u_data (
    .clk_i,
    .we_i   (rsp_valid_i),
    .waddr_i(rsp_tag_i[SlotBits-1:0]),
    .wdata_i(rsp_data_i),
    .re_i   (ready_pop),
    .raddr_i(ready_slot),
    .rdata_o(pk_data_o)
  );

  // ---- Slots whose data is here.
  t3_fifo #(
    .Width(SlotBits),
    .Depth(Slots)
  ) u_ready (
    .clk_i,
    .rst_ni,
    .wvalid_i(rsp_valid_i),
    .wready_o(ready_free),
    .wdata_i (rsp_tag_i[SlotBits-1:0]),
    .rvalid_o(ready_valid),
    .rready_i(ready_pop),
    .rdata_o (ready_slot)
  );
  assign ready_pop = ready_valid & (~pk_valid_o | pk_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pk_valid_o <= 1'b0;
    else if (ready_pop) pk_valid_o <= 1'b1;
    else if (pk_ready_i) pk_valid_o <= 1'b0;
  end

  always_comb begin
    pk_packet_o         = '0;
    pk_packet_o.dst     = head.dst;
    pk_packet_o.epoch   = ctx_cfg_i[head.sub.ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgEpochLsb+:t3_pkg::EpochW];
    pk_packet_o.op      = head.op;
    pk_packet_o.fmt     = ctx_cfg_i[head.sub.ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgFmtLsb+:2];
    pk_packet_o.addr    = head.remote_addr;
    pk_packet_o.sub     = head.sub;
    pk_packet_o.sub.ctx = head.dst_ctx;
  end
  assign pk_link_o = head.link;
  assign pk_ctx_o  = head.sub.ctx;
  assign pk_strb_o = strobes(head.first[PosW-1:0], head.last[PosW-1:0]);

  // ---- Lines here, per context.
  logic [t3_pkg::NumCtx*CountBits-1:0] here_q;
  logic                                leave;
  assign leave = pk_valid_o & pk_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) here_q <= '0;
    else if (take | leave) begin
      for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
        here_q[c*CountBits+:CountBits] <= here_q[c*CountBits+:CountBits] +
            CountBits'(take && line_i.sub.ctx == t3_pkg::CtxW'(c)) -
            CountBits'(leave && head.sub.ctx == t3_pkg::CtxW'(c));
      end
    end
  end

  always_comb begin
    for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
      busy_ctx_o[c] = here_q[c*CountBits+:CountBits] != '0;
    end
  end
  assign busy_o = here_q != '0;

  `T3_ASSERT(RoomForAnswer, !rsp_valid_i || ready_free)
  `T3_ASSERT(AnswerInRange, !rsp_valid_i || rsp_tag_i < t3_pkg::TagW'(Slots))

  logic unused;
  assign unused = ^{line_i, head};

endmodule

`default_nettype wire
