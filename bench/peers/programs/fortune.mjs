import fortune from 'fortune';
import createListener from 'fortune-http';
import jsonApi from 'fortune-json-api';
import postgres from 'fortune-postgres';
import { serve, settings } from './serve.mjs';

const { connection, connections_max, page_size } = settings();
const [text, time] = [{ type: String }, { type: Date }];
const payment = {
  status: text,
  amountCents: { type: Number },
  amountCurrency: text,
  purchaseReference: text,
  purchaseKind: text,
  description: text,
  createdAt: time,
  updatedAt: time,
};
const adapter = [postgres, { connection: { ...connection, max: connections_max } }];
const store = fortune({ payment }, { adapter });
await store.connect();
const listener = createListener(store, { serializers: [[jsonApi, { maxLimit: page_size }]] });
// The listener rejects for each refused request, after it has answered.
serve((request, response) => listener(request, response).catch(() => {}));
