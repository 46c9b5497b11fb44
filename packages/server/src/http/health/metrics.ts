/** A metric of `/metrics`. The documentation lists it. */
export interface Metric {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Florin's own metrics. `/metrics` also has the default metrics of prom-client. */
export const metrics = {
  florin_http_request_seconds: {
    kind: 'histogram',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
  },
  florin_open_attempts: {
    kind: 'gauge',
    help: 'Messages to processors without an outcome, by age',
    labelNames: ['age'],
  },
  florin_operator_attempts: {
    kind: 'gauge',
    help: 'Messages to processors whose outcome an operator finds out, by mode',
    labelNames: ['mode'],
  },
  florin_work_loop_idle_seconds: {
    kind: 'gauge',
    help: 'Time since each work loop of this process finished a step, or since its start',
    labelNames: ['loop'],
  },
  florin_balances_behind_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest ledger transfer that no balance includes yet',
  },
  florin_quarantined_disputes: {
    kind: 'gauge',
    help: 'Quarantined dispute notifications, by mode and problem',
    labelNames: ['mode', 'problem'],
  },
  florin_processor_account_info: {
    kind: 'gauge',
    help: '1 for each processor account that is not removed, with the name of the id that other metrics have',
    labelNames: ['account', 'name', 'processor', 'mode', 'status'],
  },
  florin_processor_attempts_total: {
    kind: 'counter',
    help: 'Messages about payments that got a new state, by account (`network`: the simulated network) and operation',
    labelNames: ['account', 'operation', 'status'],
  },
  florin_processor_answer_seconds: {
    kind: 'histogram',
    help: 'Time from handing an authorisation to the vault until the answer of the processor, by account',
    labelNames: ['account'],
  },
  florin_processor_open_attempts: {
    kind: 'gauge',
    help: 'Messages to processors without an outcome, by account',
    labelNames: ['account'],
  },
  florin_processor_refused_keys_total: {
    kind: 'counter',
    help: 'Messages whose processor refused the key, by account: it is wrong, revoked or lacks a permission',
    labelNames: ['account'],
  },
  florin_processor_fallbacks_total: {
    kind: 'counter',
    help: 'Payments that asked a second account, by rule (empty without one) and outcome of the first account',
    labelNames: ['rule', 'result'],
  },
  florin_processor_notifications_total: {
    kind: 'counter',
    help: 'Notifications of processors, by account: `refused` for a wrong or missing signature, else what they did',
    labelNames: ['account', 'status'],
  },
  florin_processor_reports_open: {
    kind: 'gauge',
    help: 'Settlement reports that an operator decides, and accounts whose list fails, by mode and reason',
    labelNames: ['mode', 'reason'],
  },
  florin_processor_notifications_open: {
    kind: 'gauge',
    help: 'Notifications of processors that an operator decides, by mode and status',
    labelNames: ['mode', 'status'],
  },
  florin_vault_up: {
    kind: 'gauge',
    help: '1 while the vault accepts messages. Payments wait while it is 0',
  },
  florin_vault_down_seconds: {
    kind: 'gauge',
    help: 'Time since the vault last accepted messages; 0 while it accepts them',
  },
  florin_vault_root_key_problems: {
    kind: 'gauge',
    help: 'Root key versions that the vault lacks, vaults that the next version waits for, whether a rotation is due, and whether a public sealing key is forged',
    labelNames: ['problem'],
  },
  florin_vault_limited_calls: {
    kind: 'gauge',
    help: 'Calls that the vault refused since its start, because they exceeded the limit of a merchant',
    labelNames: ['verb'],
  },
  florin_clock_ahead_seconds: {
    kind: 'gauge',
    help: "Smallest possible offset of another clock from this server's clock; negative if it is slow",
    labelNames: ['clock'],
  },
  florin_audit_log_faults: {
    kind: 'gauge',
    help: '1 while the check of the audit log has found changed, removed or missing entries',
  },
  florin_threeds_results_refused_total: {
    kind: 'counter',
    help: 'Messages to the address for 3-D Secure results that were forged, replayed or unreadable',
    labelNames: ['reason'],
  },
  florin_sign_ins_refused_total: {
    kind: 'counter',
    help: 'Sign-ins that were refused without a check, after too many wrong passwords or codes',
  },
  florin_policy_violations_total: {
    kind: 'counter',
    help: 'Violations of the content security policy that browsers reported, by directive',
    labelNames: ['directive'],
  },
  florin_card_attempts_refused_total: {
    kind: 'counter',
    help: 'Card attempts in hosted forms that were refused, by exceeded limit',
    labelNames: ['mode', 'limit'],
  },
  florin_api_requests_dropped_total: {
    kind: 'counter',
    help: 'API requests missing from the request log: too many at once, or the database refused them',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Name, help and labels of a metric, as prom-client takes them. */
export function metricOptions<Name extends MetricName>(name: Name) {
  const { help, labelNames = [] }: Metric = metrics[name];
  return { name, help, labelNames: [...labelNames] };
}
