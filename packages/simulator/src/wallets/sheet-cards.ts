import { type SandboxCard, sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import type { WalletSheetRequest } from '@florin/contract/protocol/network.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';

export interface SheetCard {
  /** Test token that names the card where its number is not allowed. */
  readonly token: SandboxCard['token'];
  /** Whether the device authenticates the cardholder, or the wallet only stores the card. */
  readonly kind: WalletSheetRequest['kind'];
  readonly label: string;
  readonly note: string;
}

const brandNames: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard' };

function createSheetCard(
  token: SandboxCard['token'],
  note: string,
  kind: WalletSheetRequest['kind'] = 'cryptogram',
): SheetCard {
  const { brand, number } = sandboxCardByToken(token) as SandboxCard;
  return { token, kind, label: `${brandNames[brand] ?? brand} •••• ${number.slice(-4)}`, note };
}

const cardsOfAllWallets: readonly SheetCard[] = [
  createSheetCard('pan_test_visa', 'Succeeds'),
  createSheetCard('pan_test_generic_decline', 'Is declined'),
];

/** Apple Pay offers only cards that the device authenticates. */
export const sheetCards: Readonly<Record<WalletKind, readonly SheetCard[]>> = {
  apple_pay: cardsOfAllWallets,
  google_pay: [
    ...cardsOfAllWallets,
    createSheetCard('pan_test_threeds_challenge', 'PAN_ONLY: the bank asks for a code', 'pan_only'),
  ],
};
