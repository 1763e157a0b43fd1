// One context: its configuration, its state, and what it still waits for.
//
//   Free -> Clearing -> Live -> Launched -> Done -> Free
//             (configure)   (launch)     (release)
//   Live, Launched, Done -> Draining -> Scrub -> Free   (abort)
//
// Done: launched, and nothing left to complete, to count or to send. A count or
// send beyond what is left fails the context. cfg_o comes straight from registers.
//
// Latency: counts and failures show in the next cycle, Done one cycle later.
// Bus: writes answer in the same cycle, reads in the next. No back-pressure.
`default_nettype none

module t3_context #(
  parameter int unsigned Index      = 0,
  parameter int unsigned DrainCycles = 64,  // quiet cycles that end a drain
  parameter int unsigned ElemsW     = 20,
  parameter int unsigned EventsW    = 4,
  parameter int unsigned SentW      = 12
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  // Commands from outside of the context's own registers.
  input  wire logic               launch_i,   // only when launchable_o
  input  wire logic               cleared_i,  // the tracker has forgotten this context
  input  wire logic               busy_i,     // anything of this context is under way
  input  wire logic               fail_i,     // an error names this context
  input  wire logic               excess_i,   // a subtile got more than it expects
  // Accounting, all of one cycle.
  input  wire logic               count_i,
  input  wire logic [ElemsW-1:0]  count_elems_i,
  input  wire logic [EventsW-1:0] count_complete_i,
  input  wire logic [EventsW-1:0] count_notify_i,
  input  wire logic               sent_i,
  input  wire logic [SentW-1:0]   sent_elems_i,
  // Configuration and state.
  output logic [t3_pkg::CtxCfgBits-1:0] cfg_o,         // t3_pkg::ctx_cfg_t
  output logic [t3_pkg::ChunkW:0]       num_chunks_o,
  output logic                          feed_valid_o,
  output logic [t3_pkg::DeviceW-1:0]    feed_peer_o,
  output logic [t3_pkg::DimW-1:0]       fill_rows_o,
  output logic [t3_pkg::AddrW-1:0]      fill_row_bytes_o,
  output logic                          free_o,
  output logic                          live_o,
  output logic                          launchable_o,
  output logic                          drain_o,       // draining: flush the triggers
  output logic                          clear_o,       // waits for cleared_i
  // Events, one cycle each.
  output logic                          done_o,
  output logic                          failed_o,
  output logic                          aborted_o,
  output logic                          excess_o,      // more than is left
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, wr_refused, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, wr_refused, rd_ok, rd_data};

  localparam logic [7:0] Page = t3_csr_pkg::CtxBase[15:8] + 8'(Index);
  localparam int unsigned DrainW = $clog2(DrainCycles + 1);

  typedef enum logic [2:0] {
    StFree     = 3'd0,
    StClearing = 3'd1,
    StLive     = 3'd2,
    StLaunched = 3'd3,
    StDone     = 3'd4,
    StDraining = 3'd5,
    StScrub    = 3'd6
  } state_e;

  state_e                      state_q;
  logic                        live_q, launched_q, failed_q;
  logic [DrainW-1:0]           quiet_q;  // cycles without anything under way
  logic [t3_pkg::EpochW-1:0]   epoch_q;
  logic [1:0]                  fmt_q;
  logic                        col_major_q;
  logic [t3_pkg::AddrW-1:0]    base_q, count_base_q, ring_base_q;
  logic [t3_pkg::PitchW-1:0]   pitch_q;
  logic [t3_pkg::DimW-1:0]     rows_q, cols_q;
  logic [t3_pkg::TileDimW-1:0] tile_m_q, tile_n_q, wf_rows_q;
  logic [t3_pkg::WfW:0]        wavefronts_q;
  logic [t3_pkg::GridW-1:0]    grid_x_q, grid_y_q;
  logic [t3_pkg::SubW-1:0]     subtiles_q, notified_q;
  logic [t3_pkg::TotalW-1:0]   elements_q, sends_q;
  logic [7:0]                  high_q;  // latched high word

  assign cfg_o = {live_q, launched_q, epoch_q, fmt_q, col_major_q, base_q, pitch_q, rows_q, cols_q,
                  tile_m_q, tile_n_q, wf_rows_q, wavefronts_q, grid_x_q, grid_y_q, count_base_q,
                  ring_base_q};
  assign free_o       = state_q == StFree;
  assign live_o       = live_q;
  assign launchable_o = (state_q == StLive) & ~failed_q;
  assign drain_o      = state_q == StDraining;
  assign clear_o      = (state_q == StClearing) | (state_q == StScrub);

  // ---- Writes: which register, and whether its write is allowed now.
  logic       wr_here, is_control, is_config;
  logic       configure, release_ctx, abort, control_ok, wr_config;
  logic [7:0] wr_off;

  assign wr_here    = bus_i.wr_valid & (bus_i.wr_addr[15:8] == Page);
  assign wr_off     = bus_i.wr_addr[7:0];
  assign is_control = wr_off == t3_csr_pkg::OffCtxControl;
  assign is_config  = (wr_off >= t3_csr_pkg::OffCtxEpochLo) & (wr_off <= t3_csr_pkg::OffCtxSendsHi);

  assign configure   = bus_i.wr_data[2:0] == 3'b001 << t3_csr_pkg::CtxControlConfigureLsb;
  assign release_ctx = bus_i.wr_data[2:0] == 3'b001 << t3_csr_pkg::CtxControlReleaseLsb;
  assign abort       = bus_i.wr_data[2:0] == 3'b001 << t3_csr_pkg::CtxControlAbortLsb;
  assign control_ok  = (configure & free_o) | (release_ctx & (state_q == StDone) & ~failed_q) |
                       (abort & live_q);

  assign wr_config    = wr_here & is_config & free_o;
  assign wr_ok      = wr_here & ((is_control & control_ok) | (is_config & free_o));
  assign wr_refused = wr_here & (is_control | is_config) & ~wr_ok;

  // ---- Configuration.
  always_ff @(posedge clk_i) begin
    if (wr_config) begin
      case (wr_off)
        t3_csr_pkg::OffCtxEpochLo: epoch_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxEpochHi: epoch_q[39:32] <= bus_i.wr_data[7:0];
        t3_csr_pkg::OffCtxFormat: begin
          fmt_q        <= bus_i.wr_data[t3_csr_pkg::CtxFormatFmtLsb+:2];
          col_major_q  <= bus_i.wr_data[t3_csr_pkg::CtxFormatColMajorLsb];
          wavefronts_q <= bus_i.wr_data[t3_csr_pkg::CtxFormatWavefrontsLsb+:t3_pkg::WfW+1];
        end
        t3_csr_pkg::OffCtxBaseLo: base_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxBaseHi: base_q[39:32] <= bus_i.wr_data[7:0];
        t3_csr_pkg::OffCtxPitch:  pitch_q <= bus_i.wr_data;
        t3_csr_pkg::OffCtxRows:   rows_q <= bus_i.wr_data[t3_pkg::DimW-1:0];
        t3_csr_pkg::OffCtxCols:   cols_q <= bus_i.wr_data[t3_pkg::DimW-1:0];
        t3_csr_pkg::OffCtxTile: begin
          tile_m_q <= bus_i.wr_data[t3_csr_pkg::CtxTileMLsb+:t3_pkg::TileDimW];
          tile_n_q <= bus_i.wr_data[t3_csr_pkg::CtxTileNLsb+:t3_pkg::TileDimW];
        end
        t3_csr_pkg::OffCtxWfRows: wf_rows_q <= bus_i.wr_data[t3_pkg::TileDimW-1:0];
        t3_csr_pkg::OffCtxGrid: begin
          grid_x_q <= bus_i.wr_data[t3_csr_pkg::CtxGridXLsb+:t3_pkg::GridW];
          grid_y_q <= bus_i.wr_data[t3_csr_pkg::CtxGridYLsb+:t3_pkg::GridW];
        end
        t3_csr_pkg::OffCtxCountBaseLo:    count_base_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxCountBaseHi:    count_base_q[39:32] <= bus_i.wr_data[7:0];
        t3_csr_pkg::OffCtxRingBaseLo:     ring_base_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxRingBaseHi:     ring_base_q[39:32] <= bus_i.wr_data[7:0];
        t3_csr_pkg::OffCtxFillRows:       fill_rows_o <= bus_i.wr_data[t3_pkg::DimW-1:0];
        t3_csr_pkg::OffCtxFillRowBytesLo: fill_row_bytes_o[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxFillRowBytesHi: fill_row_bytes_o[39:32] <= bus_i.wr_data[7:0];
        default: ;
      endcase
    end
  end

  // Read by others also while the context is free.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      num_chunks_o <= '0;
      feed_valid_o <= 1'b0;
      feed_peer_o  <= '0;
    end else if (wr_config) begin
      if (wr_off == t3_csr_pkg::OffCtxNumChunks) num_chunks_o <= bus_i.wr_data[t3_pkg::ChunkW:0];
      if (wr_off == t3_csr_pkg::OffCtxFeed) begin
        feed_valid_o <= bus_i.wr_data[t3_csr_pkg::CtxFeedValidLsb];
        feed_peer_o  <= bus_i.wr_data[t3_csr_pkg::CtxFeedPeerLsb+:t3_pkg::DeviceW];
      end
    end
  end

  // ---- What is left, counting down.
  logic more_elements, more_subtiles, more_sends;

  assign more_elements = t3_pkg::TotalW'(count_elems_i) > elements_q;
  assign more_subtiles = t3_pkg::SubW'(count_complete_i) > subtiles_q;
  assign more_sends    = t3_pkg::TotalW'(sent_elems_i) > sends_q;
  assign excess_o      = live_q & ((count_i & (more_elements | more_subtiles)) | (sent_i & more_sends));

  always_ff @(posedge clk_i) begin
    if (wr_config) begin
      case (wr_off)
        t3_csr_pkg::OffCtxSubtiles:   subtiles_q <= bus_i.wr_data[t3_pkg::SubW-1:0];
        t3_csr_pkg::OffCtxElementsLo: elements_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxElementsHi: elements_q[39:32] <= bus_i.wr_data[7:0];
        t3_csr_pkg::OffCtxSendsLo:    sends_q[31:0] <= bus_i.wr_data;
        t3_csr_pkg::OffCtxSendsHi:    sends_q[39:32] <= bus_i.wr_data[7:0];
        default: ;
      endcase
      notified_q <= '0;
    end else if (live_q) begin
      if (count_i) begin
        elements_q <= more_elements ? '0 : elements_q - t3_pkg::TotalW'(count_elems_i);
        subtiles_q <= more_subtiles ? '0 : subtiles_q - t3_pkg::SubW'(count_complete_i);
        notified_q <= notified_q + t3_pkg::SubW'(count_notify_i);
      end
      if (sent_i) sends_q <= more_sends ? '0 : sends_q - t3_pkg::TotalW'(sent_elems_i);
    end
  end

  // ---- State.
  logic fails;

  assign fails = excess_o | (live_q & (fail_i | excess_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StFree;
      live_q     <= 1'b0;
      launched_q <= 1'b0;
      failed_q   <= 1'b0;
      done_o     <= 1'b0;
      failed_o   <= 1'b0;
      aborted_o  <= 1'b0;
    end else begin
      done_o    <= 1'b0;
      failed_o  <= fails & ~failed_q;
      aborted_o <= 1'b0;
      if (fails) failed_q <= 1'b1;
      case (state_q)
        StFree: if (wr_ok && is_control) begin
          state_q  <= StClearing;
          failed_q <= 1'b0;
        end
        StClearing: if (cleared_i) begin
          state_q <= StLive;
          live_q  <= 1'b1;
        end
        StLive: if (launch_i) begin
          state_q    <= StLaunched;
          launched_q <= 1'b1;
        end
        StLaunched: if (subtiles_q == '0 && elements_q == '0 && sends_q == '0) begin
          state_q <= StDone;
          done_o  <= 1'b1;
        end
        StDraining: if (quiet_q == DrainW'(DrainCycles)) state_q <= StScrub;
        StScrub: if (cleared_i) begin
          state_q   <= StFree;
          failed_q  <= 1'b0;
          aborted_o <= 1'b1;
        end
        default: ;
      endcase
      if (wr_ok && is_control && live_q) begin
        // Release or abort.
        state_q    <= abort ? StDraining : StFree;
        live_q     <= 1'b0;
        launched_q <= 1'b0;
        done_o     <= 1'b0;
      end
    end
    if (state_q == StDraining) quiet_q <= busy_i ? '0 : quiet_q + DrainW'(1);
    else quiet_q <= '0;
  end

  // ---- Reads.
  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      rd_ok   <= 1'b0;
      rd_data <= 32'd0;
      if (bus_i.rd_addr[15:8] == Page) begin
        rd_ok <= 1'b1;
        case (bus_i.rd_addr[7:0])
          t3_csr_pkg::OffCtxControl:        rd_data <= 32'd0;
          t3_csr_pkg::OffCtxStatus:         rd_data <= {23'd0, failed_q, 5'd0, state_q};
          t3_csr_pkg::OffCtxEpochLo:        rd_data <= epoch_q[31:0];
          t3_csr_pkg::OffCtxEpochHi:        rd_data <= {24'd0, epoch_q[39:32]};
          t3_csr_pkg::OffCtxFormat:         rd_data <= {10'd0, wavefronts_q, 7'd0, col_major_q, 6'd0, fmt_q};
          t3_csr_pkg::OffCtxBaseLo:         rd_data <= base_q[31:0];
          t3_csr_pkg::OffCtxBaseHi:         rd_data <= {24'd0, base_q[39:32]};
          t3_csr_pkg::OffCtxPitch:          rd_data <= pitch_q;
          t3_csr_pkg::OffCtxRows:           rd_data <= {8'd0, rows_q};
          t3_csr_pkg::OffCtxCols:           rd_data <= {8'd0, cols_q};
          t3_csr_pkg::OffCtxTile:           rd_data <= {4'd0, tile_n_q, 4'd0, tile_m_q};
          t3_csr_pkg::OffCtxWfRows:         rd_data <= {20'd0, wf_rows_q};
          t3_csr_pkg::OffCtxGrid:           rd_data <= {grid_y_q, grid_x_q};
          t3_csr_pkg::OffCtxCountBaseLo:    rd_data <= count_base_q[31:0];
          t3_csr_pkg::OffCtxCountBaseHi:    rd_data <= {24'd0, count_base_q[39:32]};
          t3_csr_pkg::OffCtxRingBaseLo:     rd_data <= ring_base_q[31:0];
          t3_csr_pkg::OffCtxRingBaseHi:     rd_data <= {24'd0, ring_base_q[39:32]};
          t3_csr_pkg::OffCtxNumChunks:      rd_data <= {22'd0, num_chunks_o};
          t3_csr_pkg::OffCtxFeed:           rd_data <= {23'd0, feed_valid_o, 2'd0, feed_peer_o};
          t3_csr_pkg::OffCtxFillRows:       rd_data <= {8'd0, fill_rows_o};
          t3_csr_pkg::OffCtxFillRowBytesLo: rd_data <= fill_row_bytes_o[31:0];
          t3_csr_pkg::OffCtxFillRowBytesHi: rd_data <= {24'd0, fill_row_bytes_o[39:32]};
          t3_csr_pkg::OffCtxSubtiles:       rd_data <= {8'd0, subtiles_q};
          t3_csr_pkg::OffCtxElementsLo: begin
            rd_data <= elements_q[31:0];
            high_q    <= elements_q[39:32];
          end
          t3_csr_pkg::OffCtxSendsLo: begin
            rd_data <= sends_q[31:0];
            high_q    <= sends_q[39:32];
          end
          t3_csr_pkg::OffCtxElementsHi, t3_csr_pkg::OffCtxSendsHi: rd_data <= {24'd0, high_q};
          t3_csr_pkg::OffCtxNotified:       rd_data <= {8'd0, notified_q};
          default:                          rd_ok <= 1'b0;
        endcase
      end
    end
  end

endmodule

`default_nettype wire
