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
  florin_build_info: {
    kind: 'gauge',
    help: '1, with the version of Florin and of Node.js',
    labelNames: ['version', 'node', 'environment'],
  },
  florin_process_restarts: {
    kind: 'gauge',
    help: 'Times that the supervisor restarted this server, and its vault, since the supervisor started',
    labelNames: ['process'],
  },
  florin_log_lines_dropped_total: {
    kind: 'counter',
    help: 'Log lines that were dropped, because standard output was blocked',
  },
  florin_database_fault: {
    kind: 'gauge',
    help: '1, with the fault for which the database takes no writes, as `database_fault` of `/readyz`. Without one it has no value',
    labelNames: ['fault'],
  },
  florin_pool_connections: {
    kind: 'gauge',
    help: 'Connections to the database by pool: `in_use`, `idle`; `waiting`: callers that wait for one',
    labelNames: ['pool', 'state'],
  },
  florin_pool_connections_max: {
    kind: 'gauge',
    help: 'Maximum number of connections of each pool',
    labelNames: ['pool'],
  },
  florin_pool_wait_seconds: {
    kind: 'histogram',
    help: 'Wait of statements and transactions for a connection, by pool',
    labelNames: ['pool'],
  },
  florin_batch_size: {
    kind: 'histogram',
    help: 'Items that share a transaction, by batch: creates and changes of a table, results of payments and deliveries',
    labelNames: ['batch'],
  },
  florin_payments_total: {
    kind: 'counter',
    help: 'Payments that got an outcome (`succeeded`, `authorised`, `failed`), by mode and processor account (`network`: the simulated network)',
    labelNames: ['mode', 'account', 'status'],
  },
  florin_queue_due: {
    kind: 'gauge',
    help: 'Due work by queue, at most 10,000 each: payments, webhook deliveries, emails, notifications, billing and others',
    labelNames: ['queue'],
  },
  florin_queue_late_seconds: {
    kind: 'gauge',
    help: 'Time since the oldest work of each queue became due',
    labelNames: ['queue'],
  },
  florin_webhook_deliveries_pending: {
    kind: 'gauge',
    help: 'Webhook deliveries that wait for their first attempt or a retry, at most 10,000',
  },
  florin_webhook_subscriptions_failing: {
    kind: 'gauge',
    help: 'Webhook subscriptions whose last delivery failed, by mode',
    labelNames: ['mode'],
  },
  florin_settlement_exceptions_open: {
    kind: 'gauge',
    help: 'Open settlement exceptions, by mode and kind',
    labelNames: ['mode', 'kind'],
  },
  florin_check_age_seconds: {
    kind: 'gauge',
    help: 'Time since the last `ledger verify`, `audit verify` and recorded `backup`. A check that never ran has no value',
    labelNames: ['check'],
  },
  florin_check_failed: {
    kind: 'gauge',
    help: '1 if the last `ledger verify` or `audit verify` found a difference',
    labelNames: ['check'],
  },
  florin_certificate_expiry_seconds: {
    kind: 'gauge',
    help: 'Time until a certificate expires: of `public_url` and `pay_url`, as this server sees them, and of the `database`',
    labelNames: ['certificate'],
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
  florin_restore_closed: {
    kind: 'gauge',
    help: '1 while the installation is closed after a restore: this process takes no payments and sends nothing',
  },
  florin_workers: {
    kind: 'gauge',
    help: 'Processes of the installation that run work loops (`serve worker`, `serve server`) and live, by their heartbeats',
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
    help: 'Root key versions that the vault lacks, vaults that the next version waits for, old versions that a damaged key still needs, whether a rotation is due, and whether a public key of forms or wallets is forged',
    labelNames: ['problem'],
  },
  florin_vault_key_age_seconds: {
    kind: 'gauge',
    help: 'Age of the newest root key and of the newest public sealing key of the vault',
    labelNames: ['key'],
  },
  florin_vault_calls: {
    kind: 'gauge',
    help: 'Calls to the vault since its start, by verb',
    labelNames: ['verb'],
  },
  florin_vault_pending_accounts: {
    kind: 'gauge',
    help: 'Processor accounts whose addresses, merchant, rules or secrets wait until an operator accepts them with `florin vault rules`',
    labelNames: ['vault'],
  },
  florin_vault_refused_messages: {
    kind: 'gauge',
    help: 'Messages to processors that a vault refused since its start, because they break a rule, by reason. The vault counts them, whoever sends them',
    labelNames: ['vault', 'reason'],
  },
  florin_vault_limited_calls: {
    kind: 'gauge',
    help: 'Calls that the vault refused since its start, because they exceeded the limit of a merchant',
    labelNames: ['verb'],
  },
  florin_vault_connected: {
    kind: 'gauge',
    help: '1 while this vault of the server answers. The server uses the first that does',
    labelNames: ['vault'],
  },
  florin_vault_certificate_expiry_seconds: {
    kind: 'gauge',
    help: "Time until the server's certificate for vaults, or that of a vault with TLS, ends",
    labelNames: ['certificate'],
  },
  florin_vault_refused_connections: {
    kind: 'gauge',
    help: 'Connections that a vault with TLS refused since its start, by reason',
    labelNames: ['vault', 'reason'],
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
  florin_mode_crossings_total: {
    kind: 'counter',
    help: 'Refused requests for records of the other mode, by access (`read`, `write`) and mode of the key or session (`sandbox`, `live`)',
    labelNames: ['access', 'key'],
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
  florin_router_requests_total: {
    kind: 'counter',
    help: 'Requests through a router by cell (`all`: lists of all cells; `none`: the router itself answered) and outcome: `answered`, `failed` (5xx of the cell), `down` (no answer), `refused` (by the router), `cut` (the connection ended before the answer)',
    labelNames: ['cell', 'outcome'],
  },
  florin_router_own_seconds: {
    kind: 'histogram',
    help: 'Time that a router adds to a request before the head of the answer, without the time of the cell',
  },
  florin_router_answer_seconds: {
    kind: 'histogram',
    help: 'Time from sending a request to a cell until the head of its answer, by cell',
    labelNames: ['cell'],
  },
  florin_router_cell_ready: {
    kind: 'gauge',
    help: '1 while `/readyz` of the cell tells this router that it is ready',
    labelNames: ['cell'],
  },
  florin_router_cell_connections: {
    kind: 'gauge',
    help: 'Connections of a router to each cell: `in_use`, `idle`; `waiting`: requests that wait for one',
    labelNames: ['cell', 'state'],
  },
  florin_router_client_connections: {
    kind: 'gauge',
    help: 'Open connections of clients to a router',
  },
  florin_router_refused_total: {
    kind: 'counter',
    help: 'Connections and requests that a router refused or ended, by exceeded limit: `connections`, `address` (requests of one address), `slow` (clients that hold a connection to a cell), `cell` (requests that wait for a cell)',
    labelNames: ['reason'],
  },
  florin_router_lookups_total: {
    kind: 'counter',
    help: 'Lookups of a router in the directory, by outcome: `found`, `unknown`, `failed`',
    labelNames: ['outcome'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Name, help and labels of a metric, as prom-client takes them. */
export function metricOptions<Name extends MetricName>(name: Name) {
  const { help, labelNames = [] }: Metric = metrics[name];
  return { name, help, labelNames: [...labelNames] };
}
