import { startVault } from '@florin/dev-env/parts.ts';
import { runAsChild } from './child.ts';
import { settingsFromEnv } from './config/env.ts';
import { fastClock } from './fast-clock.ts';
import { watchKillPoints } from './kill-points.ts';

const settings = settingsFromEnv();
const killPoints = watchKillPoints(settings);

await runAsChild(async () => {
  const clock = fastClock(settings);
  const { port, dataDir, socketPath, simulatorUrl, databaseUrl } = settings;
  const vault = await startVault(
    {
      port,
      dataDir,
      socketPath,
      simulatorUrl,
      databaseUrl: '',
      vaultDatabaseUrl: databaseUrl,
    },
    [],
    { clock: () => Math.floor(clock.now() / 1_000) },
  );
  killPoints.beginService();
  return vault;
});
