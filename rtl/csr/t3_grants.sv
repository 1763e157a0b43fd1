// Table of the grants received: epoch of the last grant per (peer, context).
//
// Latency: a grant is in the table within NumLanes + 2 cycles. Throughput: one
// grant per cycle over all lanes; each lane buffers bursts of 8 (grants are as
// rare as kernels). Order: per lane. No back-pressure on grants.
// Bus: writes answer in the same cycle, reads in the next.
`include "t3_assert.svh"
`default_nettype none

module t3_grants #(
  parameter int unsigned NumLanes = 1,
  parameter int unsigned Devices  = 64
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [NumLanes-1:0]                 granted_valid_i,
  input  wire logic [NumLanes*t3_pkg::DeviceW-1:0] granted_src_i,
  input  wire logic [NumLanes*t3_pkg::CtxW-1:0]    granted_ctx_i,
  input  wire logic [NumLanes*t3_pkg::EpochW-1:0]  granted_epoch_i,
  output logic                                     event_o,  // a grant is in the table
  output logic                                     busy_o,
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, 1'b0, rd_ok, rd_data};

  localparam int unsigned Depth    = Devices * t3_pkg::NumCtx;
  localparam int unsigned AddrBits = $clog2(Depth);
  localparam int unsigned KeyW     = t3_pkg::DeviceW + t3_pkg::CtxW;
  localparam int unsigned GrantW   = KeyW + t3_pkg::EpochW;
  localparam int unsigned LaneBits = (NumLanes > 1) ? $clog2(NumLanes) : 1;

  // ---- Grants of the lanes, one per cycle.
  logic [NumLanes-1:0]        head_valid, head_take;
  logic [NumLanes*GrantW-1:0] head;
  logic                       take;
  logic [LaneBits-1:0]        lane;

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    logic room;

    t3_fifo #(
      .Width(GrantW),
      .Depth(8)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .wvalid_i(granted_valid_i[l]),
      .wready_o(room),
      .wdata_i ({granted_src_i[l*t3_pkg::DeviceW+:t3_pkg::DeviceW],
                 granted_ctx_i[l*t3_pkg::CtxW+:t3_pkg::CtxW],
                 granted_epoch_i[l*t3_pkg::EpochW+:t3_pkg::EpochW]}),
      .rvalid_o(head_valid[l]),
      .rready_i(head_take[l]),
      .rdata_o (head[l*GrantW+:GrantW])
    );

    `T3_ASSERT(GrantNotLost, !granted_valid_i[l] || room)
  end

  t3_rr_arb #(
    .N(NumLanes)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i  (head_valid),
    .ready_i(1'b1),
    .valid_o(take),
    .gnt_o  (head_take),
    .idx_o  (lane)
  );

  // ---- Table: a word is meaningful once it was written (seen_q).
  logic                      we, re;
  logic [KeyW-1:0]           wkey, select_q;
  logic [t3_pkg::EpochW-1:0] wepoch, epoch;
  logic [Depth-1:0]          seen_q;
  logic                      known_q, lo_q, hi_q, sel_q;

  assign {wkey, wepoch} = head[lane*GrantW+:GrantW];
  assign we = take & ({26'd0, wkey[KeyW-1:t3_pkg::CtxW]} < Devices);
  assign re = bus_i.rd_valid & (bus_i.rd_addr == {8'd0, t3_csr_pkg::OffGrantEpochLo});

  t3_ram #(
    .Width(t3_pkg::EpochW),
    .Depth(Depth)
  ) u_ram (
    .clk_i,
    .we_i   (we),
    .waddr_i(wkey[AddrBits-1:0]),
    .wdata_i(wepoch),
    .re_i   (re),
    .raddr_i(select_q[AddrBits-1:0]),
    .rdata_o(epoch)
  );

  assign wr_ok = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffGrantSelect});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seen_q   <= '0;
      select_q <= '0;
      event_o  <= 1'b0;
    end else begin
      event_o <= we;
      if (we) seen_q[wkey[AddrBits-1:0]] <= 1'b1;
      if (wr_ok) begin
        select_q <= {bus_i.wr_data[t3_csr_pkg::GrantSelectPeerLsb+:t3_pkg::DeviceW],
                     bus_i.wr_data[t3_csr_pkg::GrantSelectCtxLsb+:t3_pkg::CtxW]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      sel_q <= bus_i.rd_addr == {8'd0, t3_csr_pkg::OffGrantSelect};
      lo_q  <= re;
      hi_q  <= bus_i.rd_addr == {8'd0, t3_csr_pkg::OffGrantEpochHi};
    end
    if (re) begin
      known_q <= seen_q[select_q[AddrBits-1:0]] &&
                 {26'd0, select_q[KeyW-1:t3_pkg::CtxW]} < Devices;
    end
  end

  assign busy_o    = |head_valid;
  assign rd_ok   = sel_q | lo_q | hi_q;
  assign rd_data = ({18'd0, select_q[KeyW-1:t3_pkg::CtxW], 6'd0, select_q[t3_pkg::CtxW-1:0]} &
                      {32{sel_q}}) |
                     (epoch[31:0] & {32{lo_q & known_q}}) |
                     ({24'd0, epoch[39:32]} & {32{hi_q & known_q}});

  logic unused;
  assign unused = ^bus_i.wr_data;

endmodule

`default_nettype wire
