# Few ports, and as many as a device with sixteen channels has.
t3_unit_test(t3_chunk_table PARAMS NumPorts=3 Chunks=512)
t3_unit_test(t3_chunk_table_wide OF t3_chunk_table PARAMS NumPorts=18 Chunks=64)
