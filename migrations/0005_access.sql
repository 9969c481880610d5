-- Who may use the server. Of a key and of a session only a hash is kept: whoever reads these tables can use neither.
create table api_keys (
  id            uuid primary key,
  name          text not null check (name <> ''),
  scope         text not null check (scope in ('read', 'write', 'admin')),
  -- How the key begins: it tells keys apart, and finds the row.
  prefix        text not null unique,
  secret_hash   bytea not null check (octet_length(secret_hash) = 32),
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  expires_at    timestamptz,
  revoked_at    timestamptz
);

create table sessions (
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  key_id      uuid not null references api_keys (id) on delete cascade,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);

create index sessions_of_key on sessions (key_id);
create index sessions_by_end on sessions (expires_at);

-- What was done by whom. The actor's name is copied: the entry outlives the key.
create table audit_log (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  key_id   uuid,
  actor    text,
  address  text,
  action   text not null,
  target   text,
  details  jsonb not null default '{}'
);
