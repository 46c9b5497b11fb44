import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { type Translate, useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { LinkButton } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useNewDialog } from '../../../parts/page/use-new-dialog.ts';
import type { Column } from '../../../parts/table/column.ts';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { useMembers } from '../../team/use-team.ts';
import { SNIPPET_PATH } from '../paths.ts';
import { ExpiryBadge } from './expiry-badge.tsx';
import { type CreatedKey, KeyShown } from './key-shown.tsx';
import { NewKey } from './new-key.tsx';
import { usePublishableKey } from './publishable-key.ts';

export function Keys() {
  const t = useTexts('developers');
  const can = useCan();
  const [isOpen, { open, close }] = useNewDialog();
  const [createdKey, setCreated] = useState<CreatedKey>();
  const [, storePublishable] = usePublishableKey();
  const creatorName = useCreatorName();
  const columns = useMemo(() => columnsOf(t, creatorName), [t, creatorName]);
  const onCreated = (key: CreatedKey) => {
    setCreated(key);
    if (key.isPublishable) storePublishable(key.token);
  };
  const button = can('user.merchant_tokens.create') && (
    <Button onClick={open}>{t('key_new')}</Button>
  );
  return (
    <>
      <PageTitle
        title={t('keys')}
        actions={
          <>
            <LinkButton to={SNIPPET_PATH} variant="default">
              {t('snippet')}
            </LinkButton>
            {button}
          </>
        }
      />
      <Text c="dimmed" size="sm" mb="md">
        {t('keys_hint')}
      </Text>
      {createdKey && <KeyShown made={createdKey} />}
      <ResourceTable
        type="merchant_tokens"
        label={t('keys')}
        columns={columns}
        empty={<EmptyState title={t('keys_none')} hint={t('keys_none_hint')} action={button} />}
      />
      <NewKey isOpen={isOpen} onClose={close} onCreated={onCreated} />
    </>
  );
}

type CreatorName = (key: RecordOf<'merchant_tokens'>) => string | undefined;

/** Returns the name of the member who is responsible for a key; undefined if the person may not read members. */
function useCreatorName(): CreatorName | undefined {
  const isAllowed = useCan()('user.memberships.read');
  const { data: members = [] } = useMembers({ former: true, enabled: isAllowed });
  return useMemo(() => {
    const names = new Map(members.map(({ id, name, email }) => [id, name ?? email]));
    const nameOf: CreatorName = ({ relationships }) => {
      const creator = relationships?.creator?.data;
      return creator && 'id' in creator ? names.get(creator.id) : undefined;
    };
    return isAllowed ? nameOf : undefined;
  }, [members, isAllowed]);
}

const columnsOf = (
  t: Translate<'developers'>,
  creatorName: CreatorName | undefined,
): Column<'merchant_tokens'>[] => [
  { key: 'name', title: t('key_name'), sort: 'name', cell: ({ attributes }) => attributes.name },
  {
    key: 'context',
    title: t('key_kind'),
    sort: 'context',
    cell: ({ attributes }) => t(attributes.context === 'browser' ? 'key_browser' : 'key_secret'),
  },
  ...(creatorName
    ? [
        {
          key: 'creator',
          title: t('key_creator'),
          cell: (key: RecordOf<'merchant_tokens'>) => creatorName(key) ?? '–',
        },
      ]
    : []),
  {
    key: 'last_used_at',
    title: t('key_last_used'),
    cell: ({ attributes: { last_used_at } }) =>
      last_used_at ? <Instant at={last_used_at} /> : t('never'),
  },
  {
    key: 'expiry',
    title: t('key_expires'),
    sort: 'expiry',
    cell: ({ attributes: { expiry, revoked_at } }) => (
      <ExpiryBadge expiry={expiry} revoked_at={revoked_at} />
    ),
  },
];
