import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { createTenant } from '../setup/database.ts'

let admin: TestAdmin
beforeAll(async () => {
  admin = await createAdmin()
})
afterAll(() => admin.close())

describe('what an operator changes', () => {
  it('is remembered with who it was', async () => {
    const tenant = await createTenant(admin.db)
    const key = await admin.json('key', 'create', '--tenant', tenant.slug, '--name', 'ci', '--scopes', 'all')
    const { rows } = await admin.db.as('auditor').query(
      'select operation, application_name from audit.changes where row_id = $1',
      [key.id],
    )
    expect(rows).toEqual([
      {
        operation: 'insert',
        application_name: expect.stringContaining(`svc_admin ${userInfo().username}@`),
      },
    ])
  })
})

describe('audit', () => {
  it('exits with 0 and prints findings and proof when tenants are apart', async () => {
    const { findings, proof } = await admin.json('audit')
    expect(findings).toEqual([])
    expect(proof.length).toBeGreaterThan(500)
    expect(proof[0]).toEqual({
      role: expect.any(String),
      object: expect.any(String),
      command: expect.any(String),
      outcome: expect.stringMatching(/^(refused|by design)$/),
      detail: expect.any(String),
    })
    expect(new Set(proof.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['refused', 'by design']),
    )
  })

  it('attacks between two tenants that are named', async () => {
    const [ours, theirs] = [await createTenant(admin.db), await createTenant(admin.db)]
    const { proof } = await admin.json('audit', '--tenants', `${ours.slug},${theirs.slug}`)
    expect(proof.length).toBeGreaterThan(500)
    expect(await admin.error('audit', '--tenants', ours.slug)).toMatchObject({ code: 'usage' })
    expect(await admin.error('audit', '--tenants', `${ours.slug},nobody`)).toMatchObject({ code: 'not_found' })
  })

  describe('of a database with a leak', () => {
    beforeAll(() => admin.db.owner.query('alter policy select_api on app.products using (true)'))
    afterAll(() =>
      admin.db.owner.query(
        'alter policy select_api on app.products using (tenant_id = (select auth.tenant_id()))',
      ),
    )

    it('exits with 1 and prints both all the same', async () => {
      const { code, stdout, stderr } = await admin.run(['audit', '--json'])
      const { findings, proof } = JSON.parse(stdout)
      expect(code).toBe(1)
      expect(findings).toEqual([
        { check: 'policy_always_true', object: 'app.products: select_api', detail: expect.any(String) },
      ])
      expect(proof).toContainEqual(
        expect.objectContaining({ role: 'svc_api', object: 'app.products', command: 'select', outcome: 'LEAK' }),
      )
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_isolated' } })
    })

    it('names finding and leak for people', async () => {
      const { code, stdout } = await admin.run(['audit'])
      expect(code).toBe(1)
      expect(stdout).toContain('policy_always_true')
      expect(stdout).toMatch(/svc_api +app\.products +select +LEAK/)
    })
  })
})
