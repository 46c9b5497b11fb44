import {
  registerOpenAttempts,
  registerOpenAttemptsByAccount,
} from '../features/attempts/open-attempts-metric.ts';
import { registerOperatorAttempts } from '../features/attempts/operator-attempts-metric.ts';
import { registerAuditLogFaults } from '../features/audit-log/faults-metric.ts';
import { registerQuarantinedDisputes } from '../features/disputes/quarantined-disputes-metric.ts';
import { createBalancesLag, registerBalancesLag } from '../features/ledger/balances-metric.ts';
import { registerChecks } from '../features/operations/checks-metric.ts';
import { registerQueues } from '../features/operations/queues-metric.ts';
import { registerWorkers } from '../features/operations/workers-metric.ts';
import { registerOpenNotifications } from '../features/processor-notifications/open-notifications-metric.ts';
import { registerClosedRestore } from '../features/restore/closed-metric.ts';
import { registerOpenExceptions } from '../features/settlement/open-exceptions-metric.ts';
import { registerOpenReports } from '../features/settlement/reports/open-reports-metric.ts';
import { registerWebhookBacklog } from '../features/webhooks/backlog-metric.ts';
import { registerCertificates } from '../http/health/certificates.ts';
import type { FeatureHealth } from '../http/health/health.ts';
import { registerAccountInfo } from '../http/health/processor-metrics.ts';
import type { Services } from '../services.ts';

/** Health and metrics of the features. */
export function featureHealthOf(services: Services): FeatureHealth {
  const balances_lag = createBalancesLag(services);
  return {
    balances_lag,
    registerMetrics(register) {
      registerOpenAttempts(register, services);
      registerOpenAttemptsByAccount(register, services);
      registerAccountInfo(register, services);
      registerOperatorAttempts(register, services);
      registerBalancesLag(register, balances_lag);
      registerQuarantinedDisputes(register, services);
      registerOpenNotifications(register, services);
      registerOpenReports(register, services);
      registerOpenExceptions(register, services);
      registerQueues(register, services);
      registerWorkers(register, services);
      registerClosedRestore(register, services);
      registerWebhookBacklog(register, services);
      registerChecks(register, services);
      registerCertificates(register, services);
      registerAuditLogFaults(register, services);
    },
  };
}
