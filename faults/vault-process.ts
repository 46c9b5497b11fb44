import { startVault } from '@florin/dev-env/parts.ts';
import { runAsChild } from './child.ts';
import { settingsFromEnv } from './config/env.ts';
import { watchKillPoints } from './kill-points.ts';

const settings = settingsFromEnv();
const points = watchKillPoints(settings);

await runAsChild(async () => {
  const { port, dataDir, socketPath, simulatorUrl, databaseUrl } = settings;
  const vault = await startVault({
    port,
    dataDir,
    socketPath,
    simulatorUrl,
    databaseUrl: '',
    vaultDatabaseUrl: databaseUrl,
  });
  points.serving();
  return vault;
});
