/**
 * ISO 3166-1 alpha-2 codes, and `XK`, the usual code of Kosovo. Written as a first letter with all
 * second letters, because the card form has a size limit.
 */
export const alpha2Codes: readonly string[] = /* @__PURE__ */ withSecondLetters(`
ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR
GABDEFGHILMNPQRSTUWY HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ
NACEFGILOPRUZ OM PAEFGHKLMNRSTWY QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ
VACEGINU WFS XK YET ZAMW`);

/** Countries (alpha-2) whose addresses need a state or province. */
export const countriesWithStates: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'US',
  'CA',
  'AU',
  'BR',
  'CN',
  'IN',
  'MX',
]);

/** ISO 3166-1 alpha-3 codes of the same countries, in the same order. */
export const alpha3Codes: readonly string[] = /* @__PURE__ */ wordsOf(`
AND ARE AFG ATG AIA ALB ARM AGO ATA ARG ASM AUT AUS ABW ALA AZE BIH BRB BGD BEL BFA BGR BHR BDI
BEN BLM BMU BRN BOL BES BRA BHS BTN BVT BWA BLR BLZ CAN CCK COD CAF COG CHE CIV COK CHL CMR CHN
COL CRI CUB CPV CUW CXR CYP CZE DEU DJI DNK DMA DOM DZA ECU EST EGY ESH ERI ESP ETH FIN FJI FLK
FSM FRO FRA GAB GBR GRD GEO GUF GGY GHA GIB GRL GMB GIN GLP GNQ GRC SGS GTM GUM GNB GUY HKG HMD
HND HRV HTI HUN IDN IRL ISR IMN IND IOT IRQ IRN ISL ITA JEY JAM JOR JPN KEN KGZ KHM KIR COM KNA
PRK KOR KWT CYM KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA LBY MAR MCO MDA MNE MAF MDG MHL MKD
MLI MMR MNG MAC MNP MTQ MRT MSR MLT MUS MDV MWI MEX MYS MOZ NAM NCL NER NFK NGA NIC NLD NOR NPL
NRU NIU NZL OMN PAN PER PYF PNG PHL PAK POL SPM PCN PRI PSE PRT PLW PRY QAT REU ROU SRB RUS RWA
SAU SLB SYC SDN SWE SGP SHN SVN SJM SVK SLE SMR SEN SOM SUR SSD STP SLV SXM SYR SWZ TCA TCD ATF
TGO THA TJK TKL TLS TKM TUN TON TUR TTO TUV TWN TZA UKR UGA UMI USA URY UZB VAT VCT VEN VGB VIR
VNM VUT WLF WSM XKX YEM MYT ZAF ZMB ZWE`);

/** Codes of a list such as `ADE BE`: AD, AE, BE. */
export function withSecondLetters(list: string): string[] {
  return wordsOf(list).flatMap(([first = '', ...others]) => others.map((other) => first + other));
}

function wordsOf(list: string): string[] {
  return list.trim().split(/\s+/);
}
/** Returns the state or region of an address, and nothing where the city stands in for one that the country does not have. */
export const regionOf = <T>({
  city,
  state,
}: {
  readonly city?: T;
  readonly state?: T;
}): T | undefined => (state === city ? undefined : state);
