import { startServer } from '@florin/dev-env/parts.ts';
import { runAsChild } from './child.ts';
import { settingsFromEnv } from './config/env.ts';
import { fastClock } from './fast-clock.ts';
import { watchKillPoints } from './kill-points.ts';

const WORK_POLL_MS = 100;
const RETRY_SCALE = 0.05;

const settings = settingsFromEnv();
const points = watchKillPoints(settings);

await runAsChild(async () => {
  const { port, dataDir, socketPath, simulatorUrl, databaseUrl } = settings;
  const wiring = { port, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl: '' };
  const app = await startServer(wiring, {
    clock: fastClock(settings.epoch_ms),
    work_poll_ms: WORK_POLL_MS,
    webhook_retry_scale: RETRY_SCALE,
    log_level: 'error',
  });
  points.serving();
  return app;
});
