-- The name of an upload is made before its row is written (decision 95): the moment in milliseconds with six random digits behind it.
alter table artist_files drop constraint artist_files_name_check;
alter table artist_files add constraint artist_files_name_check
  check (name ~ '^[0-9a-f-]{36}/(photo|video)_[0-9]{1,19}\.webp$');
