// Performance counters: 64 bits each, incremented by any amount per cycle, and
// the occupancy of the tracker with its peak.
//
// Latency: an increment shows in the next cycle. The read of a low word latches
// its high word. Bus: writes answer in the same cycle, reads in the next.
`default_nettype none

module t3_counters #(
  parameter int unsigned IncW = 20,
  localparam int unsigned Num = t3_csr_pkg::NumCounters
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [Num*IncW-1:0] inc_i,      // order of t3_csr_pkg::Counter*
  input  wire logic [15:0]         entries_i,  // of the tracker, now
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, 1'b0, rd_ok, rd_data};

  localparam int unsigned IdxW = $clog2(Num);

  logic [Num*64-1:0] value;
  logic              any, clear;
  logic [15:0]       peak_q;
  logic [31:0]       high_q;
  logic [IdxW-1:0]   rd_index;
  logic              rd_window;

  assign any     = |inc_i;
  assign wr_ok = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffCounterClear});
  assign clear   = wr_ok & bus_i.wr_data[t3_csr_pkg::CounterClearClearLsb];

  for (genvar i = 0; i < Num; i++) begin : gen_counter
    logic [63:0] value_q;

    assign value[i*64+:64] = value_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) value_q <= '0;
      else if (any) value_q <= value_q + 64'(inc_i[i*IncW+:IncW]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) peak_q <= '0;
    else if (clear || entries_i > peak_q) peak_q <= entries_i;
  end

  assign rd_index  = bus_i.rd_addr[3+:IdxW];
  assign rd_window = bus_i.rd_addr[15:8] == t3_csr_pkg::CounterBase[15:8] &&
                     {27'd0, bus_i.rd_addr[7:3]} < Num;

  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) begin
      rd_ok   <= 1'b0;
      rd_data <= 32'd0;
      if (rd_window) begin
        rd_ok <= 1'b1;
        if (bus_i.rd_addr[2]) begin
          rd_data <= high_q;
        end else begin
          rd_data <= value[rd_index*64+:32];
          high_q    <= value[rd_index*64+32+:32];
        end
      end else if (bus_i.rd_addr == {8'd0, t3_csr_pkg::OffTracker}) begin
        rd_ok   <= 1'b1;
        rd_data <= {peak_q, entries_i};
      end else if (bus_i.rd_addr == {8'd0, t3_csr_pkg::OffCounterClear}) begin
        rd_ok <= 1'b1;
      end
    end
  end

  logic unused;
  assign unused = ^{bus_i.wr_data, bus_i.rd_addr[1:0]};

endmodule

`default_nettype wire
