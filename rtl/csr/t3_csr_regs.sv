// Registers of the device as a whole: identity, policy, credits, the window into
// the chunk table, the command that sends a chunk, the view into the tracker.
//
// Latency: an output follows its write in the next cycle. Bus: writes answer in
// the same cycle, reads in the next. Back-pressure: cmd_valid_o waits for
// cmd_ready_i; a second command meanwhile is refused. A command whose context
// stops being live is dropped.
`default_nettype none

module t3_csr_regs #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Banks       = 8,
  parameter int unsigned Chunks      = 512,
  parameter int unsigned Devices     = 64,
  parameter int unsigned NumLanes    = 1,
  parameter int unsigned NumLinks    = 1,
  parameter int unsigned CreditDepth = 2048
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx-1:0] ctx_free_i,
  input  wire logic [t3_pkg::NumCtx-1:0] ctx_live_i,
  input  wire logic [31:0]               status_i,  // STATUS without send_busy
  // Configuration.
  output logic [t3_pkg::DeviceW-1:0]   device_o,
  output logic [1:0]                   policy_o,
  output logic [7:0]                   threshold_o,
  output logic [15:0]                  limit_incoming_o,
  output logic [15:0]                  limit_dma_o,
  output logic [15:0]                  limit_fill_o,
  output logic [7:0]                   queue_entries_o,
  output logic                         chunk_we_o,
  output logic [t3_pkg::CtxW-1:0]      chunk_wctx_o,
  output logic [t3_pkg::ChunkW-1:0]    chunk_wchunk_o,
  output logic [t3_pkg::ChunkBits-1:0] chunk_wdata_o,  // t3_pkg::chunk_t
  output logic                         credit_init_o,
  output logic [t3_pkg::DeviceW-1:0]   credit_init_peer_o,
  output logic [t3_pkg::CreditW-1:0]   credit_init_count_o,
  // Send a chunk.
  output logic                         cmd_valid_o,
  input  wire logic                    cmd_ready_i,
  output logic [t3_pkg::CtxW-1:0]      cmd_ctx_o,
  output logic [t3_pkg::ChunkW-1:0]    cmd_chunk_o,
  output logic [t3_pkg::GridW-1:0]     cmd_wgx_o,
  output logic [t3_pkg::GridW-1:0]     cmd_wgy_o,
  output logic [t3_pkg::TileW-1:0]     cmd_tiles_o,
  output logic                         cmd_op_o,
  // Tracker.
  output logic [3:0]                   peek_bank_o,
  output logic [15:0]                  peek_index_o,
  input  wire logic                       peek_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0]    peek_ctx_i,
  input  wire logic [t3_pkg::SubW-1:0]    peek_sub_i,
  input  wire logic [t3_pkg::CountW-1:0]  peek_count_i,
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, wr_refused, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, wr_refused, rd_ok, rd_data};

  localparam int unsigned CtxW   = t3_pkg::CtxW;
  localparam int unsigned ChunkW = t3_pkg::ChunkW;
  // Bits of the chunk entry in the last word of the window.
  localparam int unsigned LastW = t3_pkg::ChunkBits - 96;

  logic [31:0]              policy_q;
  logic [CtxW-1:0]          sel_ctx_q;
  logic [ChunkW-1:0]        sel_chunk_q;
  logic [31:0]              data0_q, data1_q, data2_q;
  logic [t3_pkg::GridW-1:0] wgx_q, wgy_q;
  logic [t3_pkg::TileW-1:0] tiles_q;

  assign policy_o        = policy_q[t3_csr_pkg::PolicyPolicyLsb+:2];
  assign threshold_o     = policy_q[t3_csr_pkg::PolicyThresholdLsb+:8];
  assign queue_entries_o = policy_q[t3_csr_pkg::PolicyQueueEntriesLsb+:8];

  // ---- Writes: known_wr, the register can be written; allowed, and now.
  logic            wr_page, known_wr, allowed, wr;
  logic [7:0]      wr_off;
  logic [CtxW-1:0] send_ctx;

  assign wr_page  = bus_i.wr_valid & (bus_i.wr_addr[15:8] == 8'd0);
  assign wr_off   = bus_i.wr_addr[7:0];
  assign send_ctx = bus_i.wr_data[t3_csr_pkg::SendChunkCtxLsb+:CtxW];

  always_comb begin
    known_wr = wr_page;
    allowed  = 1'b1;
    case (wr_off)
      t3_csr_pkg::OffDevice:     allowed = &ctx_free_i;
      t3_csr_pkg::OffChunkData3: allowed = ctx_free_i[sel_ctx_q] & ({23'd0, sel_chunk_q} < Chunks);
      t3_csr_pkg::OffSendChunk:  allowed = ~cmd_valid_o & ctx_live_i[send_ctx] & (tiles_q != '0);
      t3_csr_pkg::OffPolicy, t3_csr_pkg::OffLimitIncoming, t3_csr_pkg::OffLimitDma,
      t3_csr_pkg::OffLimitFill, t3_csr_pkg::OffCreditInit, t3_csr_pkg::OffChunkSelect,
      t3_csr_pkg::OffChunkData0, t3_csr_pkg::OffChunkData1, t3_csr_pkg::OffChunkData2,
      t3_csr_pkg::OffSendTile, t3_csr_pkg::OffSendTiles, t3_csr_pkg::OffPeekSelect: ;
      default: known_wr = 1'b0;
    endcase
  end

  assign wr           = known_wr & allowed;
  assign wr_ok      = wr;
  assign wr_refused = known_wr & ~allowed;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      device_o         <= '0;
      policy_q         <= t3_csr_pkg::PolicyReset;
      limit_incoming_o <= t3_csr_pkg::LimitIncomingReset[15:0];
      limit_dma_o      <= t3_csr_pkg::LimitDmaReset[15:0];
      limit_fill_o     <= t3_csr_pkg::LimitFillReset[15:0];
      sel_ctx_q        <= '0;
      sel_chunk_q      <= '0;
      data0_q          <= '0;
      data1_q          <= '0;
      data2_q          <= '0;
      wgx_q            <= '0;
      wgy_q            <= '0;
      tiles_q          <= '0;
      peek_bank_o      <= '0;
      peek_index_o     <= '0;
    end else if (wr) begin
      case (wr_off)
        t3_csr_pkg::OffDevice:        device_o <= bus_i.wr_data[t3_pkg::DeviceW-1:0];
        t3_csr_pkg::OffPolicy:        policy_q <= bus_i.wr_data & 32'h00ff_ff03;
        t3_csr_pkg::OffLimitIncoming: limit_incoming_o <= bus_i.wr_data[15:0];
        t3_csr_pkg::OffLimitDma:      limit_dma_o <= bus_i.wr_data[15:0];
        t3_csr_pkg::OffLimitFill:     limit_fill_o <= bus_i.wr_data[15:0];
        t3_csr_pkg::OffChunkSelect: begin
          sel_ctx_q   <= bus_i.wr_data[t3_csr_pkg::ChunkSelectCtxLsb+:CtxW];
          sel_chunk_q <= bus_i.wr_data[t3_csr_pkg::ChunkSelectChunkLsb+:ChunkW];
        end
        t3_csr_pkg::OffChunkData0: data0_q <= bus_i.wr_data;
        t3_csr_pkg::OffChunkData1: data1_q <= bus_i.wr_data;
        t3_csr_pkg::OffChunkData2: data2_q <= bus_i.wr_data;
        t3_csr_pkg::OffSendTile: begin
          wgx_q <= bus_i.wr_data[t3_csr_pkg::SendTileWgxLsb+:t3_pkg::GridW];
          wgy_q <= bus_i.wr_data[t3_csr_pkg::SendTileWgyLsb+:t3_pkg::GridW];
        end
        t3_csr_pkg::OffSendTiles: tiles_q <= bus_i.wr_data[t3_pkg::TileW-1:0];
        t3_csr_pkg::OffPeekSelect: begin
          peek_bank_o  <= bus_i.wr_data[t3_csr_pkg::PeekSelectBankLsb+:4];
          peek_index_o <= bus_i.wr_data[t3_csr_pkg::PeekSelectIndexLsb+:16];
        end
        default: ;
      endcase
    end
  end

  // ---- What a write starts.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chunk_we_o    <= 1'b0;
      credit_init_o <= 1'b0;
      cmd_valid_o   <= 1'b0;
    end else begin
      chunk_we_o    <= wr && wr_off == t3_csr_pkg::OffChunkData3;
      credit_init_o <= wr && wr_off == t3_csr_pkg::OffCreditInit;
      if (cmd_ready_i || !ctx_live_i[cmd_ctx_o]) cmd_valid_o <= 1'b0;
      if (wr && wr_off == t3_csr_pkg::OffSendChunk) cmd_valid_o <= 1'b1;
    end
    if (wr && wr_off == t3_csr_pkg::OffChunkData3) begin
      chunk_wctx_o   <= sel_ctx_q;
      chunk_wchunk_o <= sel_chunk_q;
      chunk_wdata_o  <= {bus_i.wr_data[LastW-1:0], data2_q, data1_q, data0_q};
    end
    if (wr && wr_off == t3_csr_pkg::OffCreditInit) begin
      credit_init_peer_o  <= bus_i.wr_data[t3_csr_pkg::CreditInitPeerLsb+:t3_pkg::DeviceW];
      credit_init_count_o <= bus_i.wr_data[t3_csr_pkg::CreditInitCountLsb+:t3_pkg::CreditW];
    end
    if (wr && wr_off == t3_csr_pkg::OffSendChunk) begin
      cmd_ctx_o   <= send_ctx;
      cmd_chunk_o <= bus_i.wr_data[t3_csr_pkg::SendChunkChunkLsb+:ChunkW];
      cmd_op_o    <= bus_i.wr_data[t3_csr_pkg::SendChunkOpLsb];
      cmd_wgx_o   <= wgx_q;
      cmd_wgy_o   <= wgy_q;
      cmd_tiles_o <= tiles_q;
    end
  end

  // ---- Reads.
  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      rd_ok   <= bus_i.rd_addr[15:8] == 8'd0;
      rd_data <= 32'd0;
      if (bus_i.rd_addr[15:8] == 8'd0) begin
        case (bus_i.rd_addr[7:0])
          t3_csr_pkg::OffVersion:       rd_data <= t3_csr_pkg::VersionReset;
          t3_csr_pkg::OffCap0:
            rd_data <= {8'(t3_pkg::NumCtx), 8'(Banks), 8'(LineBytes), 8'(NumChannels)};
          t3_csr_pkg::OffCap1:          rd_data <= {16'(Devices), 16'(Chunks)};
          t3_csr_pkg::OffCap2:          rd_data <= {8'(NumLinks), 8'(NumLanes), 16'(CreditDepth)};
          t3_csr_pkg::OffDevice:        rd_data <= {26'd0, device_o};
          t3_csr_pkg::OffPolicy:        rd_data <= policy_q;
          t3_csr_pkg::OffLimitIncoming: rd_data <= {16'd0, limit_incoming_o};
          t3_csr_pkg::OffLimitDma:      rd_data <= {16'd0, limit_dma_o};
          t3_csr_pkg::OffLimitFill:     rd_data <= {16'd0, limit_fill_o};
          t3_csr_pkg::OffStatus:
            rd_data <= status_i | (32'(cmd_valid_o) << t3_csr_pkg::StatusSendBusyLsb);
          t3_csr_pkg::OffChunkSelect:
            rd_data <= (32'(sel_ctx_q) << t3_csr_pkg::ChunkSelectCtxLsb) | 32'(sel_chunk_q);
          t3_csr_pkg::OffChunkData0:    rd_data <= data0_q;
          t3_csr_pkg::OffChunkData1:    rd_data <= data1_q;
          t3_csr_pkg::OffChunkData2:    rd_data <= data2_q;
          t3_csr_pkg::OffSendTile:      rd_data <= {wgy_q, wgx_q};
          t3_csr_pkg::OffSendTiles:     rd_data <= {8'd0, tiles_q};
          t3_csr_pkg::OffPeekSelect:    rd_data <= {12'd0, peek_bank_o, peek_index_o};
          t3_csr_pkg::OffPeekEntry:     rd_data <= {peek_valid_i, 5'd0, peek_ctx_i, peek_sub_i};
          t3_csr_pkg::OffPeekCount:     rd_data <= {8'd0, peek_count_i};
          t3_csr_pkg::OffCreditInit, t3_csr_pkg::OffChunkData3, t3_csr_pkg::OffSendChunk: ;
          default:                      rd_ok <= 1'b0;
        endcase
      end
    end
  end

endmodule

`default_nettype wire
