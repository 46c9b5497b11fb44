import type { TelemetryOptions } from './otlp.ts';

/** Loads OpenTelemetry only here: its packages cost memory and a slower start. */
export async function exportTelemetry(options: TelemetryOptions): Promise<AsyncDisposable> {
  const { startTelemetry } = await import('./otlp.ts');
  return startTelemetry(options);
}
