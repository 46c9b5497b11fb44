import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../program.ts';

const read = (name: string) =>
  parse(readFileSync(join(ROOT, 'deploy/prometheus', name), 'utf8'), { merge: true });

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
}

it('alerts that wake somebody up go to the pager, and all others have a receiver', () => {
  const { route, receivers } = read('alertmanager.yml');
  const { groups } = read('alerts.yml') as { readonly groups: readonly { rules: Rule[] }[] };
  const severities = new Set(
    groups.flatMap(({ rules }) => rules.map(({ labels }) => labels.severity)),
  );
  expect([...severities].sort()).toEqual(['page', 'ticket']);
  expect(route.routes).toMatchObject([{ matchers: ['severity="page"'], receiver: 'pager' }]);
  const names = receivers.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['pager', route.receiver]));
});

it('a lookup of a router that failed once wakes nobody up', () => {
  const { groups } = read('alerts.yml') as { readonly groups: readonly { rules: Rule[] }[] };
  const rule = groups
    .flatMap(({ rules }) => rules)
    .find(({ alert }) => /DirectoryAway/.test(alert));
  const [minutes = 0] = [...(rule?.expr ?? '').matchAll(/\[(\d+)m\]/g)].map(([, m]) => Number(m));
  expect(minutes).toBeGreaterThan(0);
  // Nothing is in the window for as long as the alert waits.
  expect(Number.parseInt(rule?.for ?? '', 10)).toBeGreaterThan(minutes);
});

it('Prometheus hands its alerts to an Alertmanager, and reads the rules', () => {
  const { alerting, rule_files } = read('prometheus.yml');
  expect(alerting.alertmanagers[0].static_configs[0].targets).toHaveLength(1);
  expect(rule_files).toEqual(['alerts.yml']);
});
