// Starts one of the receivers: `WEBHOOK_SECRET=… node src/main.ts express|fastify|hono`, at port 3000.
import { servers } from './servers.ts';

const PORT = 3000;
const [name = 'express'] = process.argv.slice(2);
const make = servers[name];
if (!make) throw new Error(`There is no receiver ${name}: ${Object.keys(servers).join(', ')}.`);
const server = await make(process.env.WEBHOOK_SECRET ?? '');
server.listen(PORT, () =>
  console.log(`${name} takes webhooks at http://localhost:${PORT}/webhooks`),
);
