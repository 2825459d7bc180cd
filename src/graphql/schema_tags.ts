// What the views can't say of themselves: keys, references and which views are lists of
// values. PostGraphile makes look-ups, relations and enums from it.
import { makePgSmartTagsPlugin } from 'postgraphile/utils'

type Tags = Record<string, string | string[] | true>

const toProduct = (foreignFieldName: string): string =>
  '(tenant_id, product_code) references analytics.products (tenant_id, code)' +
  `|@fieldName product|@foreignFieldName ${foreignFieldName}`
const toTenant = '(tenant_id) references analytics.tenants (id)'
const toAppraiser = '(appraiser_id) references analytics.appraisers (id)'
const toOrganization = (column: string, names = ''): string =>
  `(${column}) references analytics.organizations (id)${names}`
const toValue = (column: string, view: string): string =>
  `(${column}) references analytics.${view} (value)`

const values = (enumName: string): Tags => ({ enum: true, enumName, primaryKey: 'value' })

const tags: Record<string, Tags> = {
  quote_statuses: values('QuoteStatus'),
  quote_sources: values('QuoteSource'),
  client_types: values('ClientType'),
  lead_stages: values('LeadStage'),
  tenants: { primaryKey: 'id', unique: 'slug' },
  products: { primaryKey: 'tenant_id,code', foreignKey: [toTenant] },
  appraisers: { primaryKey: 'id', foreignKey: [toTenant] },
  coverage_areas: { primaryKey: 'id', foreignKey: [toTenant, toAppraiser, toProduct('coverageAreas')] },
  fees: { primaryKey: 'id', foreignKey: [toTenant, toAppraiser, toProduct('fees')] },
  quotes: {
    primaryKey: 'id',
    foreignKey: [
      toTenant,
      toProduct('quotes'),
      toValue('status', 'quote_statuses'),
      toValue('source', 'quote_sources'),
    ],
  },
  quote_status_changes: {
    primaryKey: 'id',
    foreignKey: [
      toTenant,
      '(quote_id) references analytics.quotes (id)|@foreignFieldName statusChanges',
      toValue('from_status', 'quote_statuses'),
      toValue('to_status', 'quote_statuses'),
    ],
  },
  organizations: {
    primaryKey: 'id',
    foreignKey: [toTenant, toValue('client_type', 'client_types')],
  },
  leads: {
    primaryKey: 'id',
    foreignKey: [
      toTenant,
      toOrganization('organization_id'),
      toValue('stage', 'lead_stages'),
    ],
  },
  orders: {
    primaryKey: 'id',
    foreignKey: [
      toTenant,
      toOrganization(
        'engaging_client_id',
        '|@fieldName engagingClient|@foreignFieldName engagedOrders',
      ),
      toOrganization('lender_id', '|@fieldName lender|@foreignFieldName lentOrders'),
    ],
  },
  api_usage_days: { primaryKey: 'tenant_id,api_key_id,day,operation', foreignKey: [toTenant] },
  webhook_endpoints: { primaryKey: 'id', foreignKey: [toTenant] },
  webhook_health_days: {
    primaryKey: 'endpoint_id,day',
    foreignKey: [
      toTenant,
      '(endpoint_id) references analytics.webhook_endpoints (id)' +
        '|@fieldName endpoint|@foreignFieldName health',
    ],
  },
}

// Columns that are never null, which a view can't say either; keys never are.
const required: Record<string, string> = {
  tenants: 'slug name created_at',
  products: 'name is_active created_at updated_at',
  appraisers: 'tenant_id external_reference is_active is_default created_at updated_at',
  coverage_areas: 'tenant_id appraiser_id state created_at',
  fees: 'tenant_id appraiser_id fee turnaround_days created_at updated_at',
  quotes: 'tenant_id status source product_code state county created_at updated_at',
  quote_status_changes: 'tenant_id quote_id to_status changed_at',
  organizations: 'tenant_id client_type is_active paid_when_paid created_at updated_at',
  leads: 'tenant_id organization_id stage created_at updated_at',
  orders: 'tenant_id order_number status channel engaging_client_id created_at updated_at',
  api_usage_days: 'key_name requests errors',
  webhook_endpoints: 'tenant_id event_types created_at',
  webhook_health_days: 'tenant_id deliveries delivered failed skipped pending attempts',
}

const viewRules = Object.entries(tags).map(([view, viewTags]) => ({
  kind: 'class' as const,
  match: `analytics.${view}`,
  tags: viewTags,
}))

const columnRules = Object.entries(required).flatMap(([view, columns]) =>
  columns.split(' ').map((column) => ({
    kind: 'attribute' as const,
    match: `analytics.${view}.${column}`,
    tags: { notNull: true as const },
  })),
)

export const SchemaTagsPlugin = makePgSmartTagsPlugin([...viewRules, ...columnRules])
