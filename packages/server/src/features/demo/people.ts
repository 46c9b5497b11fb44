import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { Row } from '../../platform/database/row.ts';
import { maskedNumber } from '../onboarding/identity.ts';
import type { MakeRow, TableRows } from './rows.ts';

export interface DemoTeam {
  /** The merchant's own row. Excludes the account that opened the merchant. */
  readonly merchant: Row;
  /**
   * Email domain of the merchant's people. Unique per merchant, since an address has one account
   * per installation.
   */
  readonly domain: string;
  /** Password hash of the account that opened the merchant; null if no one signs in. */
  readonly password_hash: string | null;
  /** Whether the account that opened the merchant is an operator too. */
  readonly operator?: boolean;
}

/** Rows of a merchant and its people: owners, officers, members, addresses and bank account. */
export function peopleRows(
  makeRow: MakeRow,
  { merchant, domain, password_hash, operator = false }: DemoTeam,
): TableRows[] {
  const address = makeRow(officeAddress);
  const [directorRow, treasurerRow] = people.map((person) =>
    makeRow({ ...identificationOf(person, domain), legal_address_id: address.id as string }),
  ) as [Row, Row];
  const opener = makeRow({
    email: `owner@${domain}`,
    name: directorRow.full_name as string,
    ...signInColumns,
    operator: String(operator),
    password_hash,
    personal_identification_id: directorRow.id as string,
  });
  const owner_id = opener.id as string;
  const owner = { ...opener, owner_id, email_verified_at: opener.created_at as string };
  const support = { email: `support@${domain}`, name: 'Sam Okoro' };
  const support_member = makeRow({ ...support, ...signInColumns, owner_id });
  return [
    ['accounts', [owner, support_member]],
    ['merchants', [{ ...merchant, account_id: owner_id }]],
    ['legal_addresses', [address]],
    ['personal_identifications', [directorRow, treasurerRow]],
    [
      'beneficial_owners',
      [ownerOf(makeRow, directorRow, '40'), ownerOf(makeRow, treasurerRow, '20')],
    ],
    ['corporate_officials', makeOfficials(makeRow, directorRow, treasurerRow)],
    ['financial_institutions', [makeBank(makeRow, directorRow)]],
    [
      'memberships',
      [
        memberOf(makeRow, owner, { opener: 'true' }),
        memberOf(makeRow, support_member, { opener: 'false' }, deskPermissions),
      ],
    ],
  ];
}

/** Columns of accounts that can sign in. */
const signInColumns: Row = { account_status: 'active', operator: 'false', locale: 'en' };

const officeAddress: Row = {
  line_1: '350 Fifth Avenue',
  line_2: 'Floor 12',
  city: 'New York',
  state: 'NY',
  zip: '10118',
  country: 'USA',
};

interface Representative {
  readonly personal_name: string;
  readonly surname: string;
  readonly dob: string;
  readonly phone_number: string;
  readonly id_number: string;
}

/** Numbers that are reserved for examples: telephone 555-01xx, social security 900-xx-xxxx. */
const people: readonly Representative[] = [
  {
    personal_name: 'Mara',
    surname: 'Quint',
    dob: '1984-03-09',
    phone_number: '+12125550142',
    id_number: '900-12-4821',
  },
  {
    personal_name: 'Jonas',
    surname: 'Weil',
    dob: '1979-11-30',
    phone_number: '+12125550177',
    id_number: '900-45-7306',
  },
];

function identificationOf(person: Representative, domain: string): Row {
  const full_name = `${person.personal_name} ${person.surname}`;
  return {
    ...person,
    full_name,
    name_on_document: full_name,
    nationality: 'USA',
    email: `${person.personal_name.toLowerCase()}@${domain}`,
    id_number: maskedNumber(person.id_number),
    id_number_full: person.id_number,
  };
}

const ownerOf = (make: MakeRow, personRow: Row, ownership_percentage: string): Row =>
  make({ ownership_percentage, personal_identification_id: personRow.id as string });

const makeOfficials = (make: MakeRow, director: Row, treasurer: Row): Row[] => [
  make({
    role: 'Managing director',
    daily_contact: 'true',
    payments_decision_maker: 'true',
    personal_identification_id: director.id as string,
  }),
  make({
    role: 'Treasurer',
    daily_contact: 'false',
    payments_decision_maker: 'true',
    personal_identification_id: treasurer.id as string,
  }),
];

const makeBank = (make: MakeRow, holder: Row): Row =>
  make({
    name: 'First Example Bank',
    icon_url: 'https://bank.example/icon.png',
    login_url: 'https://bank.example/login',
    logo_url: 'https://bank.example/logo.png',
    primary_colour: '#0b5fff',
    state: 'verified',
    personal_identification_id: holder.id as string,
  });

/** Permissions of a service desk: read everything and refund payments. */
const deskPermissions: readonly string[] = permissionsOf(resources)
  .map(({ slug }) => slug)
  .filter((slug) =>
    /^(?:consumer|transaction)\..+\.read$|^transaction\.refund_demands\./.test(slug),
  );

const memberOf = (
  make: MakeRow,
  account: Row,
  { opener }: { readonly opener: 'true' | 'false' },
  permissions: readonly string[] = [],
): Row => {
  const row = make({
    account_id: account.id as string,
    email: account.email as string,
    opener,
    permissions: JSON.stringify(permissions),
  });
  return { ...row, accepted_at: row.created_at as string };
};
