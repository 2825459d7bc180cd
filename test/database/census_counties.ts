// Every county and county equivalent of the Census Bureau's map, with the state's
// postal code and the words that its law puts after (or before) the name. The map is
// of 2017: later changes (Chugach, Copper River, Connecticut's planning regions)
// stand among the hand-written cases.
import { createRequire } from 'node:module'

export type County = {
  fips: string
  state: string
  /** The shortest name that no other county of the state has. */
  name: string
  /** Its official forms, the name included: "Orleans Parish", "Parish of Orleans". */
  official: string[]
}

type Atlas = {
  objects: { counties: { geometries: { id: string; properties: { name: string } }[] } }
}

const postalByFips: Record<string, string> = {
  '01': 'AL', '02': 'AK', '04': 'AZ', '05': 'AR', '06': 'CA', '08': 'CO', '09': 'CT',
  '10': 'DE', '11': 'DC', '12': 'FL', '13': 'GA', '15': 'HI', '16': 'ID', '17': 'IL',
  '18': 'IN', '19': 'IA', '20': 'KS', '21': 'KY', '22': 'LA', '23': 'ME', '24': 'MD',
  '25': 'MA', '26': 'MI', '27': 'MN', '28': 'MS', '29': 'MO', '30': 'MT', '31': 'NE',
  '32': 'NV', '33': 'NH', '34': 'NJ', '35': 'NM', '36': 'NY', '37': 'NC', '38': 'ND',
  '39': 'OH', '40': 'OK', '41': 'OR', '42': 'PA', '44': 'RI', '45': 'SC', '46': 'SD',
  '47': 'TN', '48': 'TX', '49': 'UT', '50': 'VT', '51': 'VA', '53': 'WA', '54': 'WV',
  '55': 'WI', '56': 'WY', '60': 'AS', '66': 'GU', '69': 'MP', '72': 'PR', '78': 'VI',
}

// From 510 on, the last three digits are those of an independent city (VA, MD, MO, NV).
const firstCityNumber = 510

// Independent cities under the bare name of a county: VA 4, MD, MO.
const citiesBesideTheirCounty = new Set(['51600', '51620', '51760', '51770', '24510', '29510'])

const alaskaCensusAreas = new Set([
  'Aleutians West', 'Bethel', 'Dillingham', 'Hoonah-Angoon', 'Kusilvak', 'Nome',
  'Prince of Wales-Hyder', 'Southeast Fairbanks', 'Valdez-Cordova', 'Yukon-Koyukuk',
])
const alaskaCityBoroughs = new Set(['Juneau', 'Sitka', 'Wrangell', 'Yakutat'])
const alaskaMunicipalities = new Set(['Anchorage', 'Skagway'])

export function readCounties(): County[] {
  const atlas = createRequire(import.meta.url)('us-atlas/counties-10m.json') as Atlas
  return atlas.objects.counties.geometries.map(({ id, properties }) => {
    const state = postalByFips[id.slice(0, 2)]
    if (state === undefined) throw new Error(`No postal code for the state of ${id}`)
    const name = citiesBesideTheirCounty.has(id) ? `${properties.name} City` : properties.name
    return { fips: id, state, name, official: officialForms(id, state, properties.name) }
  })
}

function officialForms(fips: string, state: string, name: string): string[] {
  if (isIndependentCity(fips)) return cityForms(name)
  if (state === 'AK') return alaskaForms(name)
  switch (state) {
    case 'LA':
      return [`${name} Parish`, `Parish of ${name}`]
    case 'PR':
      return [`${name} Municipio`, `Municipio de ${name}`, `Municipality of ${name}`]
    case 'VI':
      return [`${name} Island`]
    case 'AS':
      return [`${name} District`]
    case 'MP':
      return [`${name} Municipality`]
    case 'DC':
    case 'GU':
      return [name]
    default:
      return [`${name} County`, `County of ${name}`, `${name} Cnty`, `${name} Co.`]
  }
}

const isIndependentCity = (fips: string) => Number(fips.slice(2)) >= firstCityNumber

const cityForms = (name: string) => [
  `${name} City`,
  `${name} city`,
  `City of ${name}`,
  `${name} (city)`,
  `${name}, City of`,
]

function alaskaForms(name: string): string[] {
  if (alaskaCensusAreas.has(name)) return [`${name} Census Area`]
  if (alaskaMunicipalities.has(name)) return [`${name} Municipality`, `Municipality of ${name}`]
  if (alaskaCityBoroughs.has(name)) {
    return [`${name} City and Borough`, `City and Borough of ${name}`, `City of ${name}`]
  }
  return [`${name} Borough`, `Borough of ${name}`]
}
