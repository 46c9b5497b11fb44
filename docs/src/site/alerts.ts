import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { markdownTable } from './table.ts';

/** Folder with the files for Prometheus and Grafana. */
export const DEPLOY = join(import.meta.dirname, '../../../deploy');

/** An alert rule of Prometheus. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

/** The alert rules that Florin ships. */
export function readAlerts(): Alert[] {
  const text = readFileSync(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8');
  const { groups } = parse(text) as { groups: readonly { readonly rules: readonly Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Path and fragment of an alert's runbook on the site. */
export const runbookOf = ({ annotations }: Alert): string =>
  annotations.runbook_url.replace(/^https:\/\/[^/]+\/docs/, '');

/** Table of the alert rules, each with its runbook. */
export const alertTable = (): string =>
  markdownTable(
    ['Alert', 'Severity', 'Condition', 'Runbook'],
    readAlerts().map((alert) => [
      alert.alert,
      alert.labels.severity,
      `\`${alert.expr}\`${alert.for === '0m' ? '' : ` for ${alert.for}`}`,
      `[what to do](${runbookOf(alert)})`,
    ]),
  );
