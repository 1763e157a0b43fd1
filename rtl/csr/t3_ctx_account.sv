// Sums the accounting pulses of all tracker banks and lanes per context.
//
// Latency: 1 cycle. Throughput: all banks and lanes in every cycle. An output is
// meaningful only while its valid bit is set.
`default_nettype none

module t3_ctx_account #(
  parameter int unsigned Banks    = 8,
  parameter int unsigned NumLanes = 1,
  parameter int unsigned ElemsW   = 20,
  parameter int unsigned EventsW  = 4,
  parameter int unsigned SentW    = 12
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*2-1:0]           fmt_i,  // of each context
  input  wire logic [Banks-1:0]                      acct_valid_i,
  input  wire logic [Banks*t3_pkg::CtxW-1:0]         acct_ctx_i,
  input  wire logic [Banks*t3_pkg::ElemsW-1:0]       acct_elems_i,
  input  wire logic [Banks-1:0]                      acct_complete_i,
  input  wire logic [Banks-1:0]                      acct_notify_i,
  input  wire logic [Banks-1:0]                      acct_excess_i,
  input  wire logic [Banks*t3_pkg::SubtileBits-1:0]  acct_sub_i,
  input  wire logic [NumLanes-1:0]                   sent_valid_i,
  input  wire logic [NumLanes*t3_pkg::CtxW-1:0]      sent_ctx_i,
  input  wire logic [NumLanes*8-1:0]                 sent_bytes_i,
  // Per context.
  output logic [t3_pkg::NumCtx-1:0]         count_o,
  output logic [t3_pkg::NumCtx*ElemsW-1:0]  elems_o,
  output logic [t3_pkg::NumCtx*EventsW-1:0] complete_o,
  output logic [t3_pkg::NumCtx*EventsW-1:0] notify_o,   // complete, in chunks that notify
  output logic [t3_pkg::NumCtx-1:0]         sent_o,
  output logic [t3_pkg::NumCtx*SentW-1:0]   sent_elems_o,
  // Over all contexts; 0 when idle.
  output logic [ElemsW-1:0]                 total_elems_o,
  output logic [EventsW-1:0]                total_complete_o,
  output logic [SentW-1:0]                  total_bytes_o,
  // More updates of a subtile than expected, and the lowest bank's subtile.
  output logic [t3_pkg::NumCtx-1:0]         excess_o,
  output logic [t3_pkg::SubtileBits-1:0]    excess_sub_o
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o          <= '0;
      excess_o         <= '0;
      total_elems_o    <= '0;
      total_complete_o <= '0;
    end else begin
      count_o          <= '0;
      excess_o         <= '0;
      total_elems_o    <= '0;
      total_complete_o <= '0;
      if (|acct_valid_i) begin : count
        logic [ElemsW-1:0]  elems, all_elems;
        logic [EventsW-1:0] complete, notify, all_complete;
        logic               here;
        all_elems    = '0;
        all_complete = '0;
        for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
          elems    = '0;
          complete = '0;
          notify   = '0;
          for (int unsigned b = 0; b < Banks; b++) begin
            here = acct_valid_i[b] && acct_ctx_i[b*t3_pkg::CtxW+:t3_pkg::CtxW] == t3_pkg::CtxW'(c);
            if (here) begin
              count_o[c] <= 1'b1;
              elems    = elems + ElemsW'(acct_elems_i[b*t3_pkg::ElemsW+:t3_pkg::ElemsW]);
              if (acct_complete_i[b]) begin
                complete = complete + EventsW'(1);
                if (acct_notify_i[b]) notify = notify + EventsW'(1);
              end
            end
          end
          elems_o[c*ElemsW+:ElemsW]      <= elems;
          complete_o[c*EventsW+:EventsW] <= complete;
          notify_o[c*EventsW+:EventsW]   <= notify;
          all_elems    = all_elems + elems;
          all_complete = all_complete + complete;
        end
        total_elems_o    <= all_elems;
        total_complete_o <= all_complete;
        for (int unsigned b = 0; b < Banks; b++) begin
          // The last assignment wins: from the highest bank down.
          if (acct_valid_i[Banks-1-b] && acct_excess_i[Banks-1-b]) begin
            excess_o[acct_ctx_i[(Banks-1-b)*t3_pkg::CtxW+:t3_pkg::CtxW]] <= 1'b1;
            excess_sub_o <= acct_sub_i[(Banks-1-b)*t3_pkg::SubtileBits+:t3_pkg::SubtileBits];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_o        <= '0;
      total_bytes_o <= '0;
    end else begin
      sent_o        <= '0;
      total_bytes_o <= '0;
      if (|sent_valid_i) begin : send
        logic [SentW-1:0] bytes, all_bytes;
        all_bytes = '0;
        for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
          bytes = '0;
          for (int unsigned l = 0; l < NumLanes; l++) begin
            if (sent_valid_i[l] && sent_ctx_i[l*t3_pkg::CtxW+:t3_pkg::CtxW] == t3_pkg::CtxW'(c)) begin
              sent_o[c] <= 1'b1;
              bytes = bytes + SentW'(sent_bytes_i[l*8+:8]);
            end
          end
          sent_elems_o[c*SentW+:SentW] <= bytes >> t3_pkg::fmt_shift(fmt_i[c*2+:2]);
          all_bytes = all_bytes + bytes;
        end
        total_bytes_o <= all_bytes;
      end
    end
  end

endmodule

`default_nettype wire
