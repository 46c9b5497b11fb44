import { Button } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useActionDialog } from '../../operator/use-action-dialog.ts';
import type { AccountDetail, AccountStatus } from '../types.ts';
import { type AccountAction, AccountDialog } from './account-dialog.tsx';
import { CheckButton } from './check-button.tsx';

const actionsByStatus: Readonly<Record<AccountStatus, readonly AccountAction[]>> = {
  untested: ['enable', 'remove'],
  enabled: ['pause'],
  paused: ['enable', 'remove'],
  removed: [],
};

/** Actions that the account's status allows. */
export function AccountActions({ account }: { readonly account: AccountDetail }) {
  const t = useTexts('processors');
  const { subject, isOpen, ask, close } = useActionDialog<AccountAction>();
  return (
    <>
      {account.status !== 'removed' && <CheckButton account={account} />}
      {actionsByStatus[account.status].map((action) => (
        <Button
          key={action}
          variant={action === 'enable' ? 'filled' : 'default'}
          {...(action === 'remove' && { color: 'red', variant: 'outline' })}
          onClick={() => ask(action)}
        >
          {t(action)}
        </Button>
      ))}
      {subject && (
        <AccountDialog
          key={subject}
          account={account}
          action={subject}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  );
}
