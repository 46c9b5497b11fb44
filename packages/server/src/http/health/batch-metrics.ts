import { Histogram, type Registry } from 'prom-client';
import type { BatchSizes } from '../../platform/concurrency/batch-sizes.ts';
import { metricOptions } from './metrics.ts';

const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Registers the histogram of batch sizes. */
export function createBatchSizes(register: Registry): BatchSizes {
  const sizes = new Histogram({
    ...metricOptions('florin_batch_size'),
    registers: [register],
    buckets: SIZE_BUCKETS,
  });
  return {
    observerOf(batch) {
      const labelled = sizes.labels({ batch });
      return (size) => labelled.observe(size);
    },
  };
}
