/* Driver of one T3 device: freestanding C11, usable from C++.
 *
 * No libc, no allocation, no globals: all state is in the caller's struct
 * t3_device. One thread at a time per device. Every call returns T3_OK or a
 * negative T3_ERR_* code; a call that returns T3_ERR_ARGUMENT, T3_ERR_STATE or
 * T3_ERR_BUSY has written no register and has changed nothing; one that returns
 * T3_ERR_BUS may have done part of its work (abort the context). Addresses and
 * sizes are in bytes unless a name says otherwise; regions end below 2^40.
 *
 * The life of a kernel with a ring all-reduce (contexts 0 and 1):
 *   t3_ring_reduce_scatter(dev, &rs_ring, 0, &rs_buffer, epoch);
 *   t3_ring_all_gather(dev, &ag_ring, 1, &ag_buffer, epoch);
 *   t3_fill(dev, 0, 0x3, t3_ring_predecessor(&rs_ring), link);  // grants both
 *   until t3_ready_to_launch(dev, 0x3) is 1;
 *   t3_launch(dev, 0x1);  the kernel runs;  t3_wait(dev, 0, polls);
 *   t3_launch(dev, 0x2);  t3_send_chunk(dev, 1, own chunk);  t3_wait(dev, 1, polls);
 *   the consumer reads;  t3_release(dev, 0);  t3_release(dev, 1);
 */
#ifndef T3_DRIVER_T3_H_
#define T3_DRIVER_T3_H_

#include <stdbool.h>
#include <stdint.h>

#include "sw/driver/t3_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum t3_result {
  T3_OK = 0,
  T3_ERR_ARGUMENT = -1, /* out of range, misaligned, or contradictory */
  T3_ERR_BUS = -2,      /* the bus or the hardware refused an access */
  T3_ERR_VERSION = -3,  /* no T3 device, or of another major version */
  T3_ERR_STATE = -4,    /* the context is not in a state that allows the call */
  T3_ERR_BUSY = -5,     /* the command's queue is full: call again later */
  T3_ERR_FAILED = -6,   /* the context has failed: t3_error says why, t3_abort frees it */
  T3_ERR_TIMEOUT = -7   /* not within max_polls */
};

#define T3_MAX_CONTEXTS 4u
#define T3_MAX_CHUNKS 512u
#define T3_MAX_DEVICES 64u
#define T3_NO_PEER 0xffu /* as feed_peer: nobody writes to the context */

enum t3_format { T3_FP16 = 0, T3_BF16 = 1, T3_FP32 = 2 };
enum t3_op { T3_STORE = 0, T3_UPDATE = 1 };
enum t3_arbitration { T3_ROUND_ROBIN = 0, T3_COMPUTE_FIRST = 1, T3_MCA = 2 };

/* As CTX_STATUS.state. */
enum t3_state {
  T3_FREE = 0,
  T3_CLEARING = 1,
  T3_LIVE = 2,
  T3_LAUNCHED = 3,
  T3_DONE = 4,
  T3_DRAINING = 5,
  T3_SCRUBBING = 6
};

/* How registers are reached. Both return 0, or anything else for a bus error
 * (AXI SLVERR, DECERR); a read that fails leaves *value alone. */
struct t3_bus {
  int (*read32)(void *ctx, uint32_t offset, uint32_t *value);
  int (*write32)(void *ctx, uint32_t offset, uint32_t value);
  void *ctx;
};

/* Parameters of the hardware, read by t3_open. */
struct t3_caps {
  uint32_t channels, line_bytes, banks, contexts;
  uint32_t chunks;  /* per context */
  uint32_t devices; /* peers are 0 .. devices - 1 */
  uint32_t credits, lanes, links;
};

/* One output buffer. tile_m is a multiple of wavefronts. */
struct t3_buffer {
  uint64_t base;           /* of element (0, 0); aligned to the element */
  uint32_t pitch_bytes;    /* from row to row; a multiple of the element, at least a row */
  uint32_t rows, cols;     /* elements, 1 .. 2^24 - 1 */
  uint16_t tile_m, tile_n; /* elements, 1 .. 4095 */
  uint8_t wavefronts;      /* per workgroup, 1 .. 32 */
  bool column_major;       /* linear tile index: false x fastest, true y fastest */
  uint8_t format;          /* enum t3_format */
  uint64_t count_base;     /* count words, 8 bytes per subtile: tiles * wavefronts; 8-byte aligned,
                              zeroed     when allocated and after every reset */
  uint64_t ring_base;      /* ready ring, 8 bytes per subtile; 8-byte aligned */
};

/* Tiles first .. first + count - 1 in linear order; count may be 0. */
struct t3_range {
  uint32_t first, count;
};

/* The buffer at the other end. Its base must equal the local one modulo the
 * line, its pitch must be the local one. */
struct t3_peer {
  uint8_t device; /* not this device */
  uint8_t ctx;    /* context there */
  uint8_t link;   /* link that leads there */
  uint64_t base;
  uint32_t pitch_bytes;
};

/* One ring of devices 0 .. devices - 1. `next` describes the successor's buffer
 * and the context of the same collective there; its device is filled in by the
 * driver; with devices == 1 it is not looked at. */
struct t3_ring {
  uint8_t devices;  /* 1 .. 64 */
  uint8_t device;   /* this one */
  int8_t direction; /* +1: the successor of d is d + 1; -1: d - 1 (modulo devices) */
  struct t3_peer next;
};

struct t3_policy {
  uint8_t policy;        /* enum t3_arbitration */
  uint8_t threshold;     /* MCA: communication enters below this occupancy; 255: always */
  uint8_t queue_entries; /* of the DRAM channel's queue, 1 .. 255 */
  uint16_t limit_incoming, limit_dma, limit_fill; /* starvation limits, cycles, at least 1 */
};

struct t3_status {
  enum t3_state state;
  bool failed;
  uint32_t subtiles_left; /* to complete */
  uint64_t elements_left; /* to be counted */
  uint64_t sends_left;    /* elements to be sent */
  uint32_t notified;      /* subtiles complete in chunks that notify */
};

/* As ERROR_INFO and the registers behind it. */
struct t3_error {
  bool valid, fails, peer_fails, remote;
  uint8_t cause; /* t3_error_text has the words */
  uint8_t src;
  uint8_t ctx, wf;
  uint16_t chunk, wgx, wgy;
  uint64_t addr, epoch;
  uint32_t count; /* errors since reset */
};

/* One entry of the tracker. */
struct t3_peek {
  bool valid;
  uint8_t ctx;
  uint32_t sub;   /* linear subtile index: tile * wavefronts + wavefront */
  uint32_t count; /* elements */
};

/* Private to the driver. */
struct t3_chunk_record {
  uint32_t first;
  uint32_t count : 24, mapped : 1, sendable : 1, sent : 1, op : 1;
};
struct t3_context_record {
  uint8_t phase; /* 0: nothing; 1: begun; 2: configured */
  struct t3_buffer buffer;
  uint64_t epoch;
  uint32_t grid_x, grid_y, wf_rows, chunks;
  uint64_t subtiles, elements, sends; /* totals of the chunks mapped so far */
  uint8_t named[T3_MAX_DEVICES];      /* contexts of each peer that the chunk table names */
  struct t3_chunk_record chunk[T3_MAX_CHUNKS];
};
struct t3_device {
  struct t3_bus bus;
  struct t3_caps caps;
  uint8_t id;
  struct t3_context_record context[T3_MAX_CONTEXTS];
};

/* ---- The device. */

/* Reads VERSION and CAP and initializes *dev; call first, and after a reset. */
int t3_open(struct t3_device *dev, const struct t3_bus *bus);
/* This device's number, 0 .. caps.devices - 1. All contexts must be free. */
int t3_set_device(struct t3_device *dev, uint8_t id);
int t3_set_policy(struct t3_device *dev, const struct t3_policy *policy);
/* Lines that `peer` buffers per lane, 0 .. caps.credits. Only while nothing is sent there. */
int t3_set_credits(struct t3_device *dev, uint8_t peer, uint32_t count);

/* ---- Configuration of a context: begin, one map per chunk, configure. Chunks
 * that are not mapped are refused by the hardware when something names them. */

/* Describes the buffer and the epoch (1 .. 2^40 - 1, larger than any before in
 * these count words); the context must be free. chunks: 1 .. caps.chunks. Count
 * words, ring and buffer must not overlap. */
int t3_context_begin(struct t3_device *dev, uint8_t ctx, const struct t3_buffer *buffer,
                     uint64_t epoch, uint32_t chunks);
/* The kernel's stores to the chunk go straight to the peer, as `op`. */
int t3_remote_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                  enum t3_op op, const struct t3_peer *peer);
/* The chunk is local: each element receives `expected` (1 .. 255) accesses of
 * kind op_in; each complete subtile is sent to the peer as op_out. */
int t3_dma_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
               enum t3_op op_in, uint32_t expected, enum t3_op op_out, const struct t3_peer *peer);
/* The chunk is local and stays; `notify`: complete subtiles count in t3_status.notified. */
int t3_track_only(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                  enum t3_op op_in, uint32_t expected, bool notify);
/* The chunk expects nothing and is sent to the peer, as op_out, by t3_send_chunk. */
int t3_send_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                enum t3_op op_out, const struct t3_peer *peer);
/* Writes what the maps expect in total and makes the context live; returns when
 * it is (the tracker's clearing is a matter of its sets, in cycles). feed_peer:
 * the device that writes to this context, or T3_NO_PEER. */
int t3_context_configure(struct t3_device *dev, uint8_t ctx, uint8_t feed_peer);

/* The whole configuration of one context as a ring reduce-scatter (updates) or
 * all-gather (stores): chunk c of N is tiles floor(c*T/N) .. floor((c+1)*T/N) - 1.
 * Live on return. ring->device must be this device. With N = 1 the reduce-scatter
 * expects one store per element and the all-gather nothing. The all-gather's own
 * chunk (number ring->device) waits for t3_send_chunk. */
int t3_ring_reduce_scatter(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx,
                           const struct t3_buffer *buffer, uint64_t epoch);
int t3_ring_all_gather(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx,
                       const struct t3_buffer *buffer, uint64_t epoch);
/* Neighbours of ring->device; itself when alone. */
uint8_t t3_ring_successor(const struct t3_ring *ring);
uint8_t t3_ring_predecessor(const struct t3_ring *ring);
/* Tiles of chunk c of `chunks`, of `tiles` in all (below 2^24, chunks up to 64). */
struct t3_range t3_ring_chunk(uint32_t tiles, uint32_t chunks, uint32_t c);

/* ---- Running. */

/* Queues a fill of ctx's buffer with -0.0; at its end the contexts of grant_mask
 * (one bit each, 0: none) are granted to `peer` over `link`. All must be live. */
int t3_fill(struct t3_device *dev, uint8_t ctx, uint32_t grant_mask, uint8_t peer, uint8_t link);
/* Grants (ctx, its epoch) to `peer` now. */
int t3_grant(struct t3_device *dev, uint8_t ctx, uint8_t peer, uint8_t link);
/* Epoch of the last grant received of context `ctx` of `peer`; 0: none. */
int t3_granted(struct t3_device *dev, uint8_t peer, uint8_t ctx, uint64_t *epoch);
/* 1 when every peer context that the chunk tables of the contexts of ctx_mask
 * name has granted their epoch or a later one, else 0; or a negative error. */
int t3_ready_to_launch(struct t3_device *dev, uint32_t ctx_mask);
/* Launches live contexts, all at once. Call t3_ready_to_launch first. */
int t3_launch(struct t3_device *dev, uint32_t ctx_mask);
/* Sends a chunk of t3_send_map; it starts when the context is launched. An empty
 * chunk is done at once. Once per life of the context. */
int t3_send_chunk(struct t3_device *dev, uint8_t ctx, uint32_t chunk);

int t3_status(struct t3_device *dev, uint8_t ctx, struct t3_status *status);
/* T3_OK when done; polls CTX_STATUS at most max_polls times (at least once). */
int t3_wait(struct t3_device *dev, uint8_t ctx, uint32_t max_polls);
/* Done to free: the buffer belongs to its consumer until then. */
int t3_release(struct t3_device *dev, uint8_t ctx);
/* Ends a context in any state: arrivals and stores are refused at once, what is
 * under way drains. T3_OK when it is free; T3_ERR_TIMEOUT: call again. Its peers
 * do not know; abort there as well. */
int t3_abort(struct t3_device *dev, uint8_t ctx, uint32_t max_polls);
/* Waits until nothing of any context is under way in this device and no command
 * waits. Contexts keep their states; peers may still send. */
int t3_quiesce(struct t3_device *dev, uint32_t max_polls);

/* ---- Events, counters, errors. Bits are those of IRQ_STATUS. */
int t3_irq_status(struct t3_device *dev, uint32_t *events);
int t3_irq_clear(struct t3_device *dev, uint32_t events);
int t3_irq_enable(struct t3_device *dev, uint32_t events);
int t3_counter(struct t3_device *dev, enum t3_counter_id which, uint64_t *value);
/* Entries in use now, and the most since t3_clear_counters; pointers may be null. */
int t3_tracker(struct t3_device *dev, uint32_t *entries, uint32_t *peak);
int t3_clear_counters(struct t3_device *dev);
/* The first error since t3_clear_error. */
int t3_error(struct t3_device *dev, struct t3_error *error);
int t3_clear_error(struct t3_device *dev);
/* A word or two on ERROR_INFO.cause; never null. */
const char *t3_error_text(uint8_t cause);
/* Entry `index` (set * ways + way) of a tracker bank; meaningful while idle. */
int t3_peek(struct t3_device *dev, uint8_t bank, uint16_t index, struct t3_peek *entry);

#ifdef __cplusplus
}
#endif

#endif /* T3_DRIVER_T3_H_ */
