-- Last failed try of a closing, so that closings that fail do not hold up later ones.
alter table dispute_closings add column tried_at timestamptz;
