import { Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useOperatorCell } from '../api/operator-cell.ts';
import { holds, useMaybeScope } from '../api/scope.ts';
import { useMe } from '../api/session.ts';
import { useTexts } from '../i18n/use-texts.ts';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { useAddress } from '../parts/page/links.tsx';
import type { Page } from '../parts/page/page.ts';
import { PageTitle } from '../parts/page/page-title.tsx';
import { useNavigation } from './frame/use-navigation.ts';
import { LiveFactorPage, useLiveFactor } from './live-factor.tsx';
import { NotFound } from './not-found.tsx';

interface Props {
  readonly page: Page;
  readonly children?: ReactNode;
}

/**
 * Hides a page from people without its permission. The server enforces permissions; this component only avoids a page
 * of errors.
 */
export function Guarded({ page, children }: Props) {
  const { audience = 'merchant' } = page;
  if (audience === 'merchant') return <OfMerchant page={page}>{children}</OfMerchant>;
  if (audience === 'operator') return <OfOperator page={page}>{children}</OfOperator>;
  return <Suspense fallback={<Loading />}>{children}</Suspense>;
}

function OfMerchant({ page, children }: Props) {
  const scope = useMaybeScope();
  const isFactorDue = useLiveFactor(scope)?.is_due;
  if (!scope) return <NotFound />;
  if (isFactorDue) return <LiveFactorPage />;
  if (!holds(scope, page.permission)) return <Forbidden permission={page.permission ?? ''} />;
  if (page.isAllowed?.(scope) === false) return <FirstAllowed />;
  // The key resets all state when the merchant or mode changes.
  return (
    <Suspense key={`${scope.merchant} ${scope.mode}`} fallback={<Loading />}>
      {children}
    </Suspense>
  );
}

/** Leads to the first page of the menu that the person may open. */
function FirstAllowed() {
  const address = useAddress();
  const [first] = useNavigation().groups.flatMap(({ items }) => items);
  return first ? <Navigate to={address(first.to)} replace /> : <NotFound />;
}

function OfOperator({ page, children }: Props) {
  const { account } = useMe();
  if (!account.operator) return <NotFound />;
  return (
    <>
      <Suspense fallback={<Loading />}>{children}</Suspense>
      {page.is_of_one_cell && <CellNote />}
    </>
  );
}

/** Names the only cell that a page shows. */
function CellNote() {
  const t = useTexts('common');
  const cell = useOperatorCell();
  return (
    cell && (
      <Text size="sm" c="dimmed" mt="lg">
        {t('one_cell', { cell })}
      </Text>
    )
  );
}

function Forbidden({ permission }: { readonly permission: string }) {
  const t = useTexts('common');
  return (
    <>
      <PageTitle title={t('forbidden')} />
      <EmptyState title={t('forbidden')} hint={t('forbidden_hint', { permission })} />
    </>
  );
}
