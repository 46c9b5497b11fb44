import type { StandInAnswer } from '../stand-in/answer.ts';
import type { JsonMembers } from '../stand-in/members.ts';
import { unreadable } from './answers.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Members of each structure, by its name in the interface (version 72). Others are refused. */
const knownMembers = {
  PaymentRequest: words(`
    accountInfo additionalAmount additionalData amount applicationInfo authenticationData
    bankAccount billingAddress browserInfo captureDelayHours channel checkoutAttemptId company
    countryCode dateOfBirth dccQuote deliverAt deliveryAddress deliveryDate deviceFingerprint
    enableOneClick enablePayOut enableRecurring enhancedSchemeData entityType fraudOffset
    fundOrigin fundRecipient industryUsage installments lineItems localizedShopperStatement
    mandate mcc merchantAccount merchantOrderReference merchantRiskIndicator metadata mpiData
    order orderReference origin paymentMethod paymentValidations platformChargebackLogic
    recurringExpiry recurringFrequency recurringProcessingModel redirectFromIssuerMethod
    redirectToIssuerMethod reference returnUrl riskData sessionValidity shopperConversionId
    shopperEmail shopperIP shopperInteraction shopperLocale shopperName shopperReference
    shopperStatement shopperTaxInfo socialSecurityNumber splits store storePaymentMethod
    subMerchants surcharge telephoneNumber threeDS2RequestData threeDSAuthenticationOnly
    trustedShopper`),
  CardDetails: words(`
    billingSequenceNumber brand checkoutAttemptId cupsecureplus.smscode cvc encryptedCard
    encryptedCardNumber encryptedExpiryMonth encryptedExpiryYear encryptedPassword
    encryptedSecurityCode expiryMonth expiryYear fastlaneData fundingSource holderName
    networkPaymentReference number recurringDetailReference sdkData shopperNotificationReference
    srcCorrelationId srcDigitalCardId srcScheme srcTokenReference storedPaymentMethodId
    threeDS2SdkVersion type`),
  ThreeDSecureData: words(`
    authenticationResponse cavv cavvAlgorithm challengeCancel directoryResponse dsTransID eci
    riskScore threeDSVersion tokenAuthenticationVerificationValue transStatusReason xid`),
  PaymentCaptureRequest: words(`
    amount applicationInfo enhancedSchemeData lineItems merchantAccount platformChargebackLogic
    reference splits subMerchants`),
  PaymentCancelRequest: words('applicationInfo merchantAccount reference'),
  PaymentRefundRequest: words(`
    amount applicationInfo capturePspReference enhancedSchemeData lineItems merchantAccount
    merchantRefundReason reference splits store`),
  PaymentReversalRequest: words('applicationInfo merchantAccount reference'),
  StandalonePaymentCancelRequest: words(
    'applicationInfo merchantAccount paymentReference reference',
  ),
} as const;

export type StructureName = keyof typeof knownMembers;

/** Error that names the unknown members of a structure; undefined without unknown members. */
export function unknownMembersError(
  structure: StructureName,
  members: JsonMembers,
): StandInAnswer | undefined {
  const unknown = Object.keys(members).filter((name) => !knownMembers[structure].has(name));
  return unknown.length === 0
    ? undefined
    : unreadable(
        `Structure of ${structure} contains the following unknown fields: [${unknown.join(', ')}]`,
      );
}
