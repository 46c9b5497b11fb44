/** Where and how often traces and metrics are exported. */
export interface Telemetry {
  /** Address of the collector, without a trailing slash. */
  readonly endpoint: string;
  /** Headers of the requests, such as a token of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** Share of traces that are kept, unless the trace of a trusted proxy decided that. */
  readonly sampled_share: number;
  readonly metric_interval_ms: number;
  readonly span_interval_ms: number;
}

/** Facts of a span: fixed texts, ids and numbers. Never names, addresses, parameters or messages of errors. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

/** A span that somebody else ends. */
export interface OpenSpan {
  end(facts?: SpanFacts, error?: unknown): void;
  /** Runs `work` so that its spans are children of this one. */
  within<T>(work: () => T): T;
}

/** Makes spans. Loaded only where the configuration has an exporter. */
export interface Tracer {
  /** Starts the span of a request, as child of the `traceparent` that a trusted proxy sent. */
  startRequest(traceparent: string | undefined): OpenSpan;
  /** Starts a span inside of the current one, or a trace of its own. */
  start(name: string, facts: SpanFacts): OpenSpan;
  hasParent(): boolean;
  /** Headers that continue the current trace in another process. */
  headers(): Readonly<Record<string, string>>;
}

/** Tracer of the process. Undefined while nothing is exported, which is the normal case and costs a comparison. */
let tracer: Tracer | undefined;

export function setTracer(newTracer: Tracer | undefined): void {
  tracer = newTracer;
}

export const currentTracer = (): Tracer | undefined => tracer;

/** Runs `work` in a span if a span is open already: what idle loops repeat makes no traces. */
export function traced<T>(
  name: string | (() => string),
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer?.hasParent()) return work();
  const span = tracer.start(typeof name === 'string' ? name : name(), facts);
  return span.within(work).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end({}, error);
      throw error;
    },
  );
}

export const traceHeaders = (): Readonly<Record<string, string>> => tracer?.headers() ?? {};
