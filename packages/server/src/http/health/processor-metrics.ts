import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ProcessorAccounts } from '../../processors/accounts.ts';
import { NO_ACCOUNT, type ProcessorMetrics } from '../../processors/metrics.ts';
import { metricOptions } from './metrics.ts';

/** Answers come within milliseconds from the simulator, and within a minute from processors. */
const ANSWER_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60];

/** Metrics that `register` adds to a registry. */
export interface RegisteredProcessorMetrics extends ProcessorMetrics {
  register(registry: Registry): Registry;
}

export function createProcessorMetrics(): RegisteredProcessorMetrics {
  const registers: Registry[] = [];
  const attempts = new Counter({ ...metricOptions('florin_processor_attempts_total'), registers });
  const payments = new Counter({ ...metricOptions('florin_payments_total'), registers });
  const refusedKeys = new Counter({
    ...metricOptions('florin_processor_refused_keys_total'),
    registers,
  });
  const fallbacks = new Counter({
    ...metricOptions('florin_processor_fallbacks_total'),
    registers,
  });
  const notifications = new Counter({
    ...metricOptions('florin_processor_notifications_total'),
    registers,
  });
  const answers = new Histogram({
    ...metricOptions('florin_processor_answer_seconds'),
    registers,
    buckets: ANSWER_BUCKETS_S,
  });
  return {
    countAttempt: (account, operation, status) =>
      attempts.inc({ account: account ?? NO_ACCOUNT, operation, status }),
    countPayment: (mode, account, status) =>
      payments.inc({ mode, account: account ?? NO_ACCOUNT, status }),
    observeAnswer: (account, duration_s) =>
      answers.observe({ account: account ?? NO_ACCOUNT }, duration_s),
    countRefusedKey: (account) => refusedKeys.inc({ account }),
    countFallback: (rule, result) => fallbacks.inc({ rule: rule ?? '', result }),
    countNotification: (account, status) => notifications.inc({ account, status }),
    register(registry) {
      for (const metric of [attempts, payments, refusedKeys, fallbacks, notifications, answers])
        registry.registerMetric(metric);
      return registry;
    },
  };
}

/** Registers a gauge that names the accounts of the other metrics. */
export function registerAccountInfo(
  registry: Registry,
  { accounts }: { readonly accounts: Pick<ProcessorAccounts, 'all'> },
): void {
  new Gauge({
    ...metricOptions('florin_processor_account_info'),
    registers: [registry],
    collect() {
      this.reset();
      for (const { id, name, mode, status, processor } of accounts.all())
        if (status !== 'removed')
          this.set({ account: id, name, mode, status, processor: processor.metadata.name }, 1);
    },
  });
}
