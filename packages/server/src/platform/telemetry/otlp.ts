import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import { createMetricProducer } from './metric-producer.ts';
import {
  type OpenSpan,
  type SpanFacts,
  setTracer,
  type Telemetry,
  type Tracer,
} from './tracing.ts';

export interface TelemetryOptions extends Telemetry {
  readonly register: Registry;
  /** Name of the program. */
  readonly service: string;
  readonly version: string;
  readonly environment: string;
}

const EXPORT_TIMEOUT_MS = 10_000;

/** Exports traces and metrics as OTLP over HTTP, in JSON. */
export function startTelemetry(options: TelemetryOptions): AsyncDisposable {
  const { register, version, environment, metric_interval_ms, endpoint, headers } = options;
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.version': version,
    'deployment.environment.name': environment,
  });
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers });
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampled_share) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: options.span_interval_ms }),
    ],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers }),
        exportIntervalMillis: metric_interval_ms,
        exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, metric_interval_ms),
        metricProducers: [createMetricProducer(register, resource)],
      }),
    ],
  });
  setTracer(createTracer(spans, version));
  return {
    async [Symbol.asyncDispose]() {
      setTracer(undefined);
      // A receiver that is away must not fail the stop.
      await Promise.allSettled([spans.shutdown(), meters.shutdown()]);
    },
  };
}

function createTracer(provider: TracerProvider, version: string): Tracer {
  const tracer = provider.getTracer('florin', version);
  const propagator = new W3CTraceContextPropagator();
  const storage = new AsyncLocalStorage<Context>();
  const current = (): Context => storage.getStore() ?? ROOT_CONTEXT;
  const open = (name: string, kind: SpanKind, facts: SpanFacts, parent: Context): OpenSpan => {
    const span = tracer.startSpan(name, { kind, attributes: facts }, parent);
    const context = trace.setSpan(parent, span);
    return {
      within: (work) => storage.run(context, work),
      end: (results = {}, error) => endSpan(span, results, error),
    };
  };
  return {
    startRequest(traceparent) {
      const carrier = traceparent === undefined ? {} : { traceparent };
      const parent = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      return open('request', SpanKind.SERVER, {}, parent);
    },
    start: (name, facts) => open(name, SpanKind.CLIENT, facts, current()),
    hasParent: () => storage.getStore() !== undefined,
    headers() {
      const headers: Record<string, string> = {};
      propagator.inject(current(), headers, defaultTextMapSetter);
      return headers;
    },
  };
}

/** Errors are named by their code or class: messages may quote values. */
function endSpan(span: Span, { 'span.name': name, ...facts }: SpanFacts, error?: unknown): void {
  if (typeof name === 'string') span.updateName(name);
  span.setAttributes(facts);
  if (error !== undefined) {
    const { code, name: kind } = error as { code?: unknown; name?: string };
    span.setAttribute('error.type', typeof code === 'string' ? code : (kind ?? 'Error'));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
