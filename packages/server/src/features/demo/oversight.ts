import type { Row } from '../../store/row.ts';
import type { MakeRow, TableRows } from './rows.ts';

/** How a merchant stands with the platform: its processor, what was noticed about it, what it has connected. */
export function oversightRows(
  make: MakeRow,
  tokens: readonly Row[],
  integration_id: string,
): TableRows[] {
  const processor = make({
    kind: 'sandbox',
    onboarding_state: 'approved',
    processing_state: 'enabled',
  });
  const flag = make({
    comment: 'The page with the terms could not be reached. It has been back since the next day.',
    external_metadata: JSON.stringify({ page: 'terms', checked: 2 }),
    source: 'edge',
    status: 'cleared',
    violation: 'terms',
  });
  return [
    ['processor_details', [processor]],
    ['merchant_tokens', tokens.map((token) => processedBy(token, processor))],
    ['red_flags', [flag]],
    ['merchant_punitive_actions', [make({ action: 'quarantine', red_flag_id: flag.id as string })]],
    ['account_alerts', alerts(make, flag)],
    [
      'merchant_integrations',
      [make({ ...connection, integration_id, merchant_token_id: tokens[0]?.id ?? null })],
    ],
  ];
}

const connection: Row = {
  name: 'Online shop',
  admin_url: 'https://shop.example/wp-admin/admin.php?page=wc-settings',
};

/** Keys of the processor's mode take their payments through it. */
const processedBy = (token: Row, { id, mode }: Row): Row =>
  token.mode === mode ? { ...token, processor_detail_id: id as string } : token;

function alerts(make: MakeRow, flag: Row): Row[] {
  const seen = make({ status: 'acknowledged', red_flag_id: flag.id as string });
  return [{ ...seen, acknowledged_at: seen.created_at as string }, make({ status: 'pending' })];
}
