-- Sealed, like the other columns of the person. An index or a comparison of dates was never made of it.
alter table personal_identifications alter column dob type text using dob::text;
