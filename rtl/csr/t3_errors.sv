// Captures the first error until software clears it, and tells which contexts
// fail: every error takes effect, also when several come in one cycle (then the
// lowest source is captured) or one is captured already.
//
// Latency: 1 cycle to fail_o and event_o, which are pulses. Throughput: all sources in
// every cycle. Bus: writes answer in the same cycle, reads in the next.
`default_nettype none

module t3_errors #(
  parameter int unsigned NumErr = 2
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic [NumErr-1:0]                   err_valid_i,
  input  wire logic [NumErr*t3_pkg::ErrorBits-1:0] err_i,  // t3_pkg::error_t
  // Which device feeds each context.
  input  wire logic [t3_pkg::NumCtx-1:0]                 feed_valid_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::DeviceW-1:0] feed_peer_i,
  output logic      [t3_pkg::NumCtx-1:0]                 fail_o,
  output logic                                           event_o,
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, 1'b0, rd_ok, rd_data};

  logic           valid_q;
  t3_pkg::error_t first_q;
  logic [31:0]    count_q;
  logic           any, clear;

  assign any     = |err_valid_i;
  assign wr_ok = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffErrorInfo});
  assign clear   = wr_ok & bus_i.wr_data[t3_csr_pkg::ErrorInfoValidLsb];

  // ---- Who fails, and which error is the lowest source's.
  logic [t3_pkg::NumCtx-1:0] fails;
  t3_pkg::error_t            e, lowest;

  always_comb begin
    fails  = '0;
    e      = '0;
    lowest = '0;
    if (any) begin
      for (int unsigned j = 0; j < NumErr; j++) begin
        // From the highest source down, so that the lowest stays.
        e = err_i[(NumErr-1-j)*t3_pkg::ErrorBits+:t3_pkg::ErrorBits];
        if (err_valid_i[NumErr-1-j]) begin
          lowest = e;
          for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
            if (e.fails && e.sub.ctx == t3_pkg::CtxW'(c)) fails[c] = 1'b1;
            if (e.peer_fails && feed_valid_i[c] &&
                feed_peer_i[c*t3_pkg::DeviceW+:t3_pkg::DeviceW] == e.src) fails[c] = 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      count_q <= '0;
      fail_o  <= '0;
      event_o <= 1'b0;
    end else begin
      fail_o  <= '0;
      event_o <= any;
      if (clear) valid_q <= 1'b0;
      if (any) begin
        fail_o <= fails;
        if (!valid_q || clear) first_q <= lowest;
        valid_q <= 1'b1;
        if (count_q != '1) count_q <= count_q + 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      rd_ok   <= bus_i.rd_addr[15:8] == 8'd0;
      rd_data <= 32'd0;
      if (bus_i.rd_addr[15:8] == 8'd0) begin
        case (bus_i.rd_addr[7:0])
          t3_csr_pkg::OffErrorInfo:
            rd_data <= {10'd0, first_q.src, 5'd0, first_q.remote, first_q.peer_fails, first_q.fails,
                          first_q.cause, 3'd0, 1'b1} & {32{valid_q}};
          t3_csr_pkg::OffErrorAddrLo:  rd_data <= first_q.addr[31:0];
          t3_csr_pkg::OffErrorAddrHi:  rd_data <= {24'd0, first_q.addr[39:32]};
          t3_csr_pkg::OffErrorEpochLo: rd_data <= first_q.epoch[31:0];
          t3_csr_pkg::OffErrorEpochHi: rd_data <= {24'd0, first_q.epoch[39:32]};
          t3_csr_pkg::OffErrorWg:      rd_data <= {first_q.sub.wgy, first_q.sub.wgx};
          t3_csr_pkg::OffErrorSub:
            rd_data <= {10'd0, first_q.sub.ctx, 3'd0, first_q.sub.chunk, 3'd0, first_q.sub.wf};
          t3_csr_pkg::OffErrorCount:   rd_data <= count_q;
          default:                     rd_ok <= 1'b0;
        endcase
      end
    end
  end

  logic unused;
  assign unused = ^bus_i.wr_data;

endmodule

`default_nettype wire
