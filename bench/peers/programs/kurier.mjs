import knex from 'knex';
import Koa from 'koa';
import { Application, jsonApiKoa, KnexProcessor, Resource } from 'kurier';
import { serve, settings } from './serve.mjs';

const { connection, connections_max } = settings();
class Payment extends Resource {
  static schema = {
    attributes: {
      status: String,
      amountCents: Number,
      amountCurrency: String,
      purchaseReference: String,
      purchaseKind: String,
      description: String,
      createdAt: String,
      updatedAt: String,
    },
    relationships: {},
  };
}
const database = knex({ client: 'pg', connection, pool: { min: 0, max: connections_max } });
await database.schema.createTable('payments', (table) => {
  table.bigIncrements('id');
  for (const name of ['status', 'amount_currency', 'purchase_reference', 'purchase_kind'])
    table.text(name);
  table.text('description');
  table.bigInteger('amount_cents');
  table.timestamp('created_at');
  table.timestamp('updated_at');
});
const app = new Application({ namespace: '', types: [Payment], defaultProcessor: KnexProcessor });
app.services.knex = database;
serve(new Koa().use(jsonApiKoa(app)).callback());
