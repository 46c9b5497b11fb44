import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metric, metrics } from '@florin/server/http/health/metrics.ts';
import { slug } from 'github-slugger';
import { describe, expect, it } from 'vitest';
import { DEPLOY, readAlerts, runbookOf } from '../src/site/alerts.ts';
import { PAGES } from '../src/site/write.ts';

const RUNBOOKS = '/operate/runbooks#';
const alerts = readAlerts();

/** Expressions of a dashboard's panels. */
const expressionsOf = (file: string): string[] => {
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
};

const dashboards = globSync('grafana/*.json', { cwd: DEPLOY }).map((file) => join(DEPLOY, file));
const panelExpressions = dashboards.flatMap(expressionsOf);
const allExpressions = [...panelExpressions, ...alerts.map(({ expr }) => expr)];

/** Names of metrics in an expression, without the suffixes of histograms. */
const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:florin|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) =>
    name
      .replace(/_seconds_(?:bucket|sum|count)$/, '_seconds')
      .replace(/_size_(?:sum|count)$/, '_size'),
  );

/** Default metrics of Node.js that rules and dashboards use. A test of the server sees them. */
const NODE_METRICS = ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'];
const existing = new Set([...Object.keys(metrics), ...NODE_METRICS]);

/** Selectors with a label that their metric does not have. */
const unknownLabelsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(florin_[a-z_]+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)].flatMap(
    ([selector, name = '', labels = '']) => {
      const { labelNames = [] }: Partial<Metric> = metrics[name as keyof typeof metrics] ?? {};
      const used = [...labels.matchAll(/(\w+)[!=]/g)].map(([, label]) => label ?? '');
      return used.every((label) => labelNames.includes(label)) ? [] : [selector];
    },
  );

const page = readFileSync(join(PAGES, 'operate/runbooks.md'), 'utf8');
const sections = page.split(/^## /m).slice(1);
const slugOf = (section: string): string => slug(section.slice(0, section.indexOf('\n')));

describe('alert rules and dashboards', () => {
  it('name metrics that exist, with labels that they have', () => {
    const named = allExpressions.flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(alerts.length);
    expect(named.filter((name) => !existing.has(name))).toEqual([]);
    expect(allExpressions.flatMap(unknownLabelsIn)).toEqual([]);
  });

  it('show every metric of Florin on a dashboard', () => {
    const shown = new Set(panelExpressions.flatMap(metricsIn));
    expect(Object.keys(metrics).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('runbooks', () => {
  it('exist for each alert', () => {
    const slugs = new Set(sections.map((section) => RUNBOOKS + slugOf(section)));
    expect(alerts.map(runbookOf).filter((path) => !slugs.has(path))).toEqual([]);
  });

  it('with a symptom are reached by an alert', () => {
    const reached = new Set(alerts.map(runbookOf));
    const symptoms = sections.filter((section) => section.includes('**Symptom**'));
    expect(symptoms.length).toBeGreaterThan(20);
    expect(symptoms.map(slugOf).filter((name) => !reached.has(RUNBOOKS + name))).toEqual([]);
  });
});
