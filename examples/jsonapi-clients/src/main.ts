// Each client creates a customer, fetches it, changes its name and saves the whole record.
// BASE is the address of a Florin, KEY a secret sandbox key.
import { saveByColoquent } from './coloquent.ts';
import type { SaveWhole } from './customer.ts';
import { saveByDatx } from './datx.ts';
import { saveByJsona } from './jsona.ts';
import { saveByKitsu } from './kitsu.ts';
import { saveByReactAdmin } from './react-admin.ts';

const { BASE = 'http://localhost:4000', KEY = '' } = process.env;

const clients: Readonly<Record<string, SaveWhole>> = {
  kitsu: saveByKitsu,
  datx: saveByDatx,
  coloquent: saveByColoquent,
  'react-admin': saveByReactAdmin,
  jsona: saveByJsona,
};

for (const [name, save] of Object.entries(clients)) {
  console.log(name, await save({ base: BASE, key: KEY }, name));
}
