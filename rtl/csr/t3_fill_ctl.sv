// Fills and grants: a queue of fill commands, each of which may end with grants,
// and a queue of grants for the links.
//
// A fill starts when the one before has ended; it has ended when no channel has
// been busy with it for SettleCycles. A fill of a context that is not live any
// more is skipped, and so are grants of such contexts.
//
// Latency: 2 cycles from a command to the start, 1 from the end to the first grant.
// Order: first in, first out. Back-pressure: a command to a full queue is refused;
// grants wait for their link, in order. Bus: writes answer in the same cycle,
// reads in the next.
`default_nettype none

module t3_fill_ctl #(
  parameter int unsigned NumChannels  = 16,
  parameter int unsigned NumLinks     = 1,
  parameter int unsigned SettleCycles = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::DimW-1:0]       fill_rows_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::AddrW-1:0]      fill_row_bytes_i,
  // To the channels.
  output logic                          fill_start_o,
  output logic [t3_pkg::FillBits-1:0]   fill_o,  // t3_pkg::fill_t
  input  wire logic [NumChannels-1:0]   fill_busy_i,
  // To the links.
  output logic [NumLinks-1:0]           grant_valid_o,
  input  wire logic [NumLinks-1:0]      grant_ready_i,
  output logic [t3_pkg::DeviceW-1:0]    grant_dst_o,
  output logic [t3_pkg::CtxW-1:0]       grant_ctx_o,
  output logic [t3_pkg::EpochW-1:0]     grant_epoch_o,
  // Status.
  output logic                          fill_busy_o,
  output logic                          fill_full_o,
  output logic                          grant_busy_o,
  output logic                          grant_full_o,
  output logic                          done_o,  // a fill is in memory, its grants are queued
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, wr_refused, rd_ok;

  assign bus_o = {wr_ok, wr_refused, rd_ok, 32'd0};

  localparam int unsigned NumCtx   = t3_pkg::NumCtx;
  localparam int unsigned CtxW     = t3_pkg::CtxW;
  localparam int unsigned DeviceW  = t3_pkg::DeviceW;
  localparam int unsigned FillCmdW = CtxW + NumCtx + DeviceW + 1;
  localparam int unsigned GrantW   = CtxW + DeviceW + 1 + t3_pkg::EpochW;
  localparam int unsigned SettleW  = $clog2(SettleCycles + 1);
  // Places of fields in t3_pkg::ctx_cfg_t.
  localparam int unsigned BaseLsb  = t3_pkg::CfgColMajorLsb - t3_pkg::AddrW;
  localparam int unsigned PitchLsb = BaseLsb - t3_pkg::PitchW;

  logic [NumCtx-1:0] live;

  for (genvar c = 0; c < NumCtx; c++) begin : gen_live
    assign live[c] = ctx_cfg_i[c*t3_pkg::CtxCfgBits+t3_pkg::CtxCfgBits-1];
  end

  // ---- Commands.
  logic               wr_fill, wr_grant, fill_ok, grant_ok, fill_room, grant_room;
  logic [CtxW-1:0]    wr_ctx;
  logic [NumCtx-1:0]  wr_mask;
  logic [DeviceW-1:0] wr_peer;
  logic               wr_link, link_exists;

  assign wr_fill  = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffFill});
  assign wr_grant = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffGrant});
  // Fields of FILL; GRANT has the same places.
  assign wr_ctx   = bus_i.wr_data[t3_csr_pkg::FillCtxLsb+:CtxW];
  assign wr_mask  = bus_i.wr_data[t3_csr_pkg::FillGrantMaskLsb+:NumCtx];
  assign wr_peer  = bus_i.wr_data[t3_csr_pkg::FillPeerLsb+:DeviceW];
  assign wr_link  = bus_i.wr_data[t3_csr_pkg::FillLinkLsb];

  assign link_exists  = ~wr_link | (NumLinks > 1);
  assign fill_ok      = wr_fill & fill_room & live[wr_ctx] & ((wr_mask & ~live) == '0) & link_exists;
  assign grant_ok     = wr_grant & grant_room & live[wr_ctx] & link_exists;
  assign wr_ok      = fill_ok | grant_ok;
  assign wr_refused = (wr_fill | wr_grant) & ~wr_ok;

  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      rd_ok <= bus_i.rd_addr == {8'd0, t3_csr_pkg::OffFill} || bus_i.rd_addr == {8'd0, t3_csr_pkg::OffGrant};
    end
  end

  // ---- Fills.
  typedef enum logic [1:0] {
    StIdle,
    StFill,
    StGrant
  } state_e;

  state_e             state_q;
  logic               head_valid, head_pop;
  logic [CtxW-1:0]    head_ctx;
  logic [NumCtx-1:0]  head_mask;
  logic [DeviceW-1:0] head_peer;
  logic               head_link;
  logic [SettleW-1:0] settle_q;
  logic [NumCtx-1:0]  left_q;     // contexts still to be granted
  logic [CtxW-1:0]    next_ctx;   // lowest of them
  logic               fill_grant; // queue the grant of next_ctx

  t3_fifo #(
    .Width(FillCmdW),
    .Depth(4)
  ) u_fills (
    .clk_i,
    .rst_ni,
    .wvalid_i(fill_ok),
    .wready_o(fill_room),
    .wdata_i ({wr_ctx, wr_mask, wr_peer, wr_link}),
    .rvalid_o(head_valid),
    .rready_i(head_pop),
    .rdata_o ({head_ctx, head_mask, head_peer, head_link})
  );

  always_comb begin
    next_ctx = '0;
    for (int unsigned i = 0; i < NumCtx; i++) begin
      if (left_q[NumCtx-1-i]) next_ctx = CtxW'(NumCtx - 1 - i);
    end
  end

  assign head_pop   = state_q == StGrant && left_q == '0;
  assign fill_grant = state_q == StGrant && left_q != '0 && live[next_ctx] && !wr_grant;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      fill_start_o <= 1'b0;
      done_o       <= 1'b0;
    end else begin
      fill_start_o <= 1'b0;
      done_o       <= 1'b0;
      case (state_q)
        StIdle: if (head_valid) begin
          fill_o       <= {ctx_cfg_i[head_ctx*t3_pkg::CtxCfgBits+BaseLsb+:t3_pkg::AddrW],
                           ctx_cfg_i[head_ctx*t3_pkg::CtxCfgBits+PitchLsb+:t3_pkg::PitchW],
                           fill_rows_i[head_ctx*t3_pkg::DimW+:t3_pkg::DimW],
                           fill_row_bytes_i[head_ctx*t3_pkg::AddrW+:t3_pkg::AddrW],
                           ctx_cfg_i[head_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgFmtLsb+:2], head_ctx};
          fill_start_o <= live[head_ctx];
          settle_q     <= '0;
          left_q       <= live[head_ctx] ? head_mask : '0;
          state_q      <= StFill;
        end
        StFill: begin
          settle_q <= (|fill_busy_i) ? '0 : settle_q + SettleW'(1);
          if (settle_q == SettleW'(SettleCycles)) state_q <= StGrant;
        end
        default: begin
          if (left_q == '0) begin
            state_q <= StIdle;
            done_o  <= 1'b1;
          end else if (!live[next_ctx] || (fill_grant && grant_room)) begin
            left_q[next_ctx] <= 1'b0;
          end
        end
      endcase
    end
  end

  // ---- Grants: a command's before a fill's.
  logic              push_ctx_valid, out_valid, out_link;
  logic [CtxW-1:0]   push_ctx;
  logic [NumLinks-1:0] out_select;

  assign push_ctx_valid = grant_ok | fill_grant;
  assign push_ctx       = grant_ok ? wr_ctx : next_ctx;

  t3_fifo #(
    .Width(GrantW),
    .Depth(4)
  ) u_grants (
    .clk_i,
    .rst_ni,
    .wvalid_i(push_ctx_valid),
    .wready_o(grant_room),
    .wdata_i ({push_ctx, grant_ok ? wr_peer : head_peer, grant_ok ? wr_link : head_link,
               ctx_cfg_i[push_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgEpochLsb+:t3_pkg::EpochW]}),
    .rvalid_o(out_valid),
    .rready_i(|(grant_valid_o & grant_ready_i)),
    .rdata_o ({grant_ctx_o, grant_dst_o, out_link, grant_epoch_o})
  );

  assign out_select    = NumLinks'(1) << out_link;
  assign grant_valid_o = out_select & {NumLinks{out_valid}};

  assign fill_busy_o  = head_valid;
  assign fill_full_o  = ~fill_room;
  assign grant_busy_o = out_valid;
  assign grant_full_o = ~grant_room;

endmodule

`default_nettype wire
