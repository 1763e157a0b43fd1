+incdir+include
t3_pkg.sv
