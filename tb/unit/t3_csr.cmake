# Two links of one lane each, a small chunk table, three sources of errors.
t3_unit_test(t3_csr PARAMS NumLanes=2 NumLinks=2 Chunks=64 Devices=64 NumErr=3)
target_sources(t3_csr_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/t3_csr_contexts.cc
                                   ${CMAKE_CURRENT_LIST_DIR}/t3_csr_driver.cc)
