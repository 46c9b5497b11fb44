import type { HrTime } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type Labels = Record<string, string | number>;
type Metric = MetricObjectWithValues<MetricValue<string>>;

/** Gives OpenTelemetry the metrics of `/metrics`, so that both have the same. */
export function createMetricProducer(register: Registry, resource: Resource): MetricProducer {
  const started = hrTime();
  return {
    async collect() {
      const now = hrTime();
      const all = (await register.getMetricsAsJSON()) as unknown as Metric[];
      const metrics = all.map((metric) => metricDataOf(metric, started, now));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'florin' }, metrics }] },
        errors: [],
      };
    },
  };
}

function metricDataOf(metric: Metric, startTime: HrTime, endTime: HrTime): MetricData {
  const times = { startTime, endTime };
  const describe = (type: InstrumentType) => ({
    name: metric.name,
    description: metric.help,
    unit: '',
    type,
    valueType: 1,
    advice: {},
  });
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const kind = String(metric.type);
  if (kind === 'histogram')
    return {
      descriptor: describe(InstrumentType.HISTOGRAM),
      aggregationTemporality,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogramsOf(metric).map((point) => ({ ...point, ...times })),
    };
  const dataPoints = metric.values.map(({ labels, value }) => ({
    ...times,
    attributes: labels as Labels,
    value,
  }));
  return kind === 'counter'
    ? {
        descriptor: describe(InstrumentType.COUNTER),
        aggregationTemporality,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints,
      }
    : {
        descriptor: describe(InstrumentType.GAUGE),
        aggregationTemporality,
        dataPointType: DataPointType.GAUGE,
        dataPoints,
      };
}

interface Series {
  readonly attributes: Labels;
  readonly boundaries: number[];
  /** Observations up to each boundary, as Prometheus counts them. */
  readonly cumulative: number[];
  sum: number;
  count: number;
}

/** Gathers the lines of a histogram by their labels. */
function histogramsOf({ name, values }: Metric) {
  const seriesByLabels = new Map<string, Series>();
  for (const line of values) {
    const { le, ...attributes } = line.labels as Labels;
    const key = JSON.stringify(attributes);
    const series = seriesByLabels.get(key) ?? {
      attributes,
      boundaries: [],
      cumulative: [],
      sum: 0,
      count: 0,
    };
    seriesByLabels.set(key, series);
    const { metricName } = line as { readonly metricName?: string };
    if (metricName === `${name}_sum`) series.sum = line.value;
    else if (metricName === `${name}_count`) series.count = line.value;
    else if (le !== '+Inf') {
      series.boundaries.push(Number(le));
      series.cumulative.push(line.value);
    }
  }
  return [...seriesByLabels.values()].map(({ attributes, boundaries, cumulative, sum, count }) => ({
    attributes,
    value: {
      sum,
      count,
      buckets: {
        boundaries,
        counts: [...cumulative, count].map((total, at) => total - (cumulative[at - 1] ?? 0)),
      },
    },
  }));
}
