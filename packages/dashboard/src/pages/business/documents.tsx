import { BusinessPart, type BusinessPartProps } from './business-part.tsx';

/** Attributes of the seller on documents. */
export const SELLER = [
  'seller_name',
  'seller_line_1',
  'seller_line_2',
  'seller_zip_code',
  'seller_city',
  'seller_state',
  'seller_country',
  'seller_tax_number',
];

/** Seller on receipts, invoices and credit notes. */
export const DocumentSettings = (props: BusinessPartProps) => (
  <BusinessPart {...props} part="documents" names={SELLER} />
);
