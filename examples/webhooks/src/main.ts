// Starts one of the receivers at PORT, or 3000: `WEBHOOK_SECRET=… npm run example:webhooks -- express|fastify|hono`.
import { servers } from './servers.ts';

const PORT = Number(process.env.PORT || 3000);
const [name = 'express'] = process.argv.slice(2);
const make = servers[name];
if (!make) throw new Error(`There is no receiver ${name}: ${Object.keys(servers).join(', ')}.`);
const server = await make(process.env.WEBHOOK_SECRET ?? '');
server.listen(PORT, () =>
  console.log(`${name} takes webhooks at http://localhost:${PORT}/webhooks`),
);
