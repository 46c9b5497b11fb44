/** Rehearsals, by name. Each reads its own options. */
const REHEARSALS: Readonly<Record<string, () => Promise<{ main(): Promise<number> }>>> = {
  processes: () => import('./processes/main.ts'),
  freeze: () => import('./freeze/main.ts'),
  pgbouncer: () => import('./pgbouncer/main.ts'),
  restore: () => import('./restore/main.ts'),
  backup: () => import('./backup/main.ts'),
  clock: () => import('./clock/main.ts'),
  failover: () => import('./failover/main.ts'),
  upgrade: () => import('./upgrade/main.ts'),
  certificates: () => import('./certificates/main.ts'),
  keys: () => import('./keys/main.ts'),
  chart: () => import('./chart/main.ts'),
  'disk-full': () => import('./disk-full/main.ts'),
  'record-release': () => import('./upgrade/record.ts'),
};

const [name = ''] = process.argv.splice(2, 1);
const load = Object.hasOwn(REHEARSALS, name) ? REHEARSALS[name] : undefined;
if (load) {
  const { main } = await load();
  process.exit(
    await main().catch((error: Error) => {
      console.error(error.message);
      return 1;
    }),
  );
}
console.error(`Usage: npm run rehearse -- ${Object.keys(REHEARSALS).join(' | ')} [--help]`);
process.exit(2);
