import { MedusaModule } from '@medusajs/framework/modules-sdk';
import { ContainerRegistrationKeys, createPgConnection, Modules } from '@medusajs/framework/utils';
import { serve, settings } from './serve.mjs';

const { connection, connections_max, page_size } = settings();
const { user, password, host, port, database } = connection;
const url = `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
const logger = { info() {}, debug() {}, log() {}, warn: console.warn, error: console.error };
const options = {
  database: { clientUrl: url, driverOptions: { connection: { host, ssl: false } } },
};
const injectedDependencies = {
  [ContainerRegistrationKeys.PG_CONNECTION]: createPgConnection({
    clientUrl: url,
    pool: { min: 0, max: connections_max },
  }),
  [ContainerRegistrationKeys.LOGGER]: logger,
};
const payment = await startModule();
serve(answer);

async function startModule() {
  const moduleKey = Modules.PAYMENT;
  const container = { resolve: () => logger };
  await MedusaModule.migrateUp({ moduleKey, modulePath: '@medusajs/payment', options, container });
  const modules = await MedusaModule.bootstrap({
    moduleKey,
    defaultPath: '@medusajs/payment',
    declaration: { scope: 'internal', options },
    injectedDependencies,
  });
  return modules[moduleKey];
}

/** The module has no HTTP interface of its own: this is the least that can be one. */
async function answer(request, response) {
  try {
    const records =
      request.method === 'POST'
        ? await payment.createPaymentCollections(JSON.parse(await readBody(request)))
        : await payment.listPaymentCollections(
            {},
            { take: page_size, order: { created_at: 'DESC' } },
          );
    response.setHeader('content-type', 'application/json').end(JSON.stringify(records));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

async function readBody(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
