#if HTTP
  import SectileHTTP
#endif
