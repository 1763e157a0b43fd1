// The first cycle is a reset.
logic started_q;
initial started_q = 1'b0;
always_ff @(posedge clk_i) started_q <= 1'b1;
always_comb assume (started_q || !rst_ni);
