import { createTable, defineMigration } from '../database/index.js'

/** Migrations are never changed after a release: a change is a further migration. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'rules, their runs and steps, and what was seen of values',
    async up (db) {
      await createTable(db, 'rules_rules', {
        name: 'text',
        spec: 'text',
        enabled: 'integer',
        author: 'text',
        created_at: 'bigint',
        changed_at: 'bigint',
        armed_at: 'bigint',
        'paused?': 'text',
        webhook: 'text',
        failures: 'integer'
      })
      await createTable(db, 'rules_runs', {
        rule: 'text',
        rule_name: 'text',
        version: 'bigint',
        'printer?': 'text',
        occurrence: 'text',
        at: 'bigint',
        began_at: 'bigint',
        'ended_at?': 'bigint',
        state: 'text',
        reason: 'text',
        fields: 'text',
        chain: 'text',
        owner: 'text',
        lease_until: 'bigint',
        step: 'integer',
        step_state: 'text',
        'wait_until?': 'bigint'
      })
      await createTable(db, 'rules_steps', {
        run: 'text', step: 'integer', state: 'text', at: 'bigint', 'ended_at?': 'bigint', what: 'text', reason: 'text'
      })
      await createTable(db, 'rules_edges', { is_true: 'integer', since: 'bigint' })
      await createTable(db, 'rules_proposals', { made_by: 'text', at: 'bigint', why: 'text', rule: 'text' })
      await createTable(db, 'rules_facts', { value: 'text', at: 'bigint', made_by: 'text' })
      await db.schema.createIndex('rules_runs_rule').on('rules_runs').columns(['rule', 'began_at']).execute()
      await db.schema.createIndex('rules_runs_at').on('rules_runs').columns(['began_at', 'id']).execute()
      await db.schema.createIndex('rules_runs_state').on('rules_runs').columns(['state', 'lease_until']).execute()
      await db.schema.createIndex('rules_steps_run').on('rules_steps').column('run').execute()
    },
    async down (db) {
      const tables = ['facts', 'proposals', 'edges', 'steps', 'runs', 'rules']
      for (const table of tables) await db.schema.dropTable(`rules_${table}`).execute()
    }
  }),
  defineMigration({
    number: 2,
    name: 'what runs have heated, and which acts led to runs',
    async up (db) {
      await createTable(db, 'rules_heat', {
        run: 'text',
        rule_name: 'text',
        printer: 'text',
        operation: 'text',
        'extruder?': 'integer',
        celsius: 'integer',
        set_at: 'bigint',
        until: 'bigint',
        told: 'integer'
      })
      await db.schema.alterTable('rules_runs').addColumn('trail', 'text', to => to.notNull().defaultTo('[]')).execute()
      await db.schema.alterTable('rules_steps').addColumn('act', 'text').execute()
      await db.schema.alterTable('rules_proposals').addColumn('owner', 'text', to => to.notNull().defaultTo('')).execute()
      await db.schema.createIndex('rules_steps_at').on('rules_steps').column('at').execute()
    },
    async down (db) {
      await db.schema.dropIndex('rules_steps_at').execute()
      await db.schema.alterTable('rules_proposals').dropColumn('owner').execute()
      await db.schema.alterTable('rules_steps').dropColumn('act').execute()
      await db.schema.alterTable('rules_runs').dropColumn('trail').execute()
      await db.schema.dropTable('rules_heat').execute()
    }
  })
]
