/* Register access and checks that the driver's parts share; not for its users. */
#ifndef T3_DRIVER_T3_IO_H_
#define T3_DRIVER_T3_IO_H_

#include "sw/driver/t3.h"

#define T3_ADDRESS_END (UINT64_C(1) << 40) /* addresses, epochs and totals are below */

/* A field in its place: T3_PUT(CAP0_BANKS, 8), and out of its place. */
#define T3_PUT(field, value) (((uint32_t)(value)&T3_##field##_MASK) << T3_##field##_LSB)
#define T3_GET(field, word) (((word) >> T3_##field##_LSB) & T3_##field##_MASK)

static inline int t3_read(struct t3_device *dev, uint32_t offset, uint32_t *value) {
  return dev->bus.read32(dev->bus.ctx, offset, value) == 0 ? T3_OK : T3_ERR_BUS;
}

static inline int t3_write(struct t3_device *dev, uint32_t offset, uint32_t value) {
  return dev->bus.write32(dev->bus.ctx, offset, value) == 0 ? T3_OK : T3_ERR_BUS;
}

/* Low word first: its read latches the high word, which is in the next register. */
static inline int t3_read64(struct t3_device *dev, uint32_t offset, uint64_t *value) {
  uint32_t low = 0, high = 0;
  if (t3_read(dev, offset, &low) != T3_OK || t3_read(dev, offset + 4, &high) != T3_OK) {
    return T3_ERR_BUS;
  }
  *value = (uint64_t)high << 32 | low;
  return T3_OK;
}

static inline int t3_write64(struct t3_device *dev, uint32_t offset, uint64_t value) {
  const int result = t3_write(dev, offset, (uint32_t)value);
  return result == T3_OK ? t3_write(dev, offset + 4, (uint32_t)(value >> 32)) : result;
}

/* State and failure of a context. */
static inline int t3_read_state(struct t3_device *dev, uint8_t ctx, enum t3_state *state,
                                bool *failed) {
  uint32_t word = 0;
  const int result = t3_read(dev, T3_REG_CTX_STATUS(ctx), &word);
  *state = (enum t3_state)T3_GET(CTX_STATUS_STATE, word);
  *failed = T3_GET(CTX_STATUS_FAILED, word) != 0;
  return result;
}

/* T3_OK when begin accepts these; reads CTX_STATUS. */
int t3_check_begin(struct t3_device *dev, uint8_t ctx, const struct t3_buffer *buffer,
                   uint64_t epoch, uint32_t chunks);
/* T3_OK when a chunk of this buffer can be sent to this peer. */
int t3_check_peer(const struct t3_device *dev, const struct t3_buffer *buffer,
                  const struct t3_peer *peer);
/* T3_OK when each element of this buffer's subtiles can receive `expected` accesses. */
int t3_check_expected(const struct t3_buffer *buffer, uint32_t expected);

#endif /* T3_DRIVER_T3_IO_H_ */
