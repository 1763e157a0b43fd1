// One verilated t3_top, whatever its configuration: every port is a pointer to
// its bytes in the model, little-endian, in the layout that bits.h reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace t3 {
struct RtlConfig;
}

namespace t3::tb {

// X(port) for every port of t3_top but the clock.
#define T3_TOP_PORTS(X)                                                                            \
  X(rst_ni)                                                                                        \
  X(axil_awaddr_i) X(axil_awvalid_i) X(axil_awready_o) X(axil_wdata_i) X(axil_wstrb_i)             \
      X(axil_wvalid_i) X(axil_wready_o) X(axil_bresp_o) X(axil_bvalid_o) X(axil_bready_i)          \
          X(axil_araddr_i) X(axil_arvalid_i) X(axil_arready_o) X(axil_rdata_o) X(axil_rresp_o)     \
              X(axil_rvalid_o) X(axil_rready_i) X(irq_o) X(idle_o) X(st_valid_i) X(st_ready_o)     \
                  X(st_tracked_i) X(st_sub_i) X(st_addr_i) X(st_strb_i) X(st_data_i) X(rd_valid_i) \
                      X(rd_ready_o) X(rd_addr_i) X(rd_id_i) X(dram_valid_o) X(dram_ready_i)        \
                          X(dram_req_o) X(dram_strb_o) X(dram_data_o) X(dram_occupancy_i)          \
                              X(rsp_valid_i) X(rsp_track_i) X(rsp_tag_i) X(rsp_data_i)             \
                                  X(nmc_valid_i) X(nmc_ready_o) X(nmc_req_i) X(nmc_strb_i)         \
                                      X(nmc_data_i) X(nmc_old_i) X(wb_valid_o) X(wb_req_o)         \
                                          X(wb_strb_o) X(wb_data_o) X(tx_valid_o) X(tx_ready_i)    \
                                              X(tx_packet_o) X(tx_strb_o) X(tx_data_o)             \
                                                  X(rx_valid_i) X(rx_packet_i) X(rx_strb_i)        \
                                                      X(rx_data_i) X(ctl_valid_o) X(ctl_ready_i)   \
                                                          X(ctl_o) X(ctl_valid_i) X(ctl_i)

struct Port {
  uint8_t* data = nullptr;
  uint32_t bytes = 0;  // that the model keeps for it: 1, 2, 4, 8, or a multiple of 4
};

class RtlDevice {
 public:
  virtual ~RtlDevice() = default;

  // Half of a clock cycle: settles with the clock at `high`.
  virtual void Eval(bool high) = 0;
  // An assertion of the RTL or $fatal was hit; its message is on standard output.
  virtual bool Failed() const = 0;

  // Waves (traced configurations only). Times are in nanoseconds of the file.
  virtual void OpenTrace(const std::string& path) = 0;
  virtual void DumpTrace(uint64_t time) = 0;
  virtual void CloseTrace() = 0;

#define T3_DECLARE_PORT(name) Port name;
  T3_TOP_PORTS(T3_DECLARE_PORT)
#undef T3_DECLARE_PORT
};

// Null where there is no such configuration, with its parameters in kRtlConfigs
// ("t3_rtl_configs.h"). The device's scope in waves and messages is dev<number>.
std::unique_ptr<RtlDevice> MakeRtlDevice(const std::string& config, bool traced, uint32_t number);
const RtlConfig* FindRtlParameters(const std::string& config);

}  // namespace t3::tb
